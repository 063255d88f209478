import { providerKey } from "./reference";

/** The property in which a dynamic provider finds the URN of a deletion or a read. */
export const engineUrnKey = "__engineUrn";

/** The part of Pulumi's request messages that is used here. */
interface Request {
    getUrn(): string;
    getProperties(): Struct | undefined;
}

interface Struct {
    getFieldsMap(): Map<string, Value>;
}

interface Value {
    getStringValue(): string;
    setStringValue(text: string): void;
    cloneMessage(): Value;
}

/** The module with Pulumi's request messages. A process can have loaded several copies of it. */
const messages = /[\\/]@pulumi[\\/]pulumi[\\/]proto[\\/]provider_pb\.js$/;

/**
 * Adds the URN to the properties of deletions and reads of this package. Pulumi's host passes only the last outputs of
 * a resource to its provider, so that after a rename the provider would see the URN of the last update, which may now
 * belong to another resource or to none.
 */
export function passRequestUrns(modules: NodeJS.Dict<NodeJS.Module> = require.cache): void {
    for (const [file, module] of Object.entries(modules)) {
        if (messages.test(file)) {
            const { DeleteRequest, ReadRequest } = module?.exports as Record<
                string,
                { prototype: Request } | undefined
            >;
            for (const request of [DeleteRequest, ReadRequest]) {
                if (request !== undefined) {
                    addUrnTo(request.prototype);
                }
            }
        }
    }
}

function addUrnTo(prototype: Request): void {
    const original: (this: Request) => Struct | undefined = Reflect.get(prototype, "getProperties");
    prototype.getProperties = function (this: Request) {
        const properties = original.call(this);
        const fields = properties?.getFieldsMap();
        const provider = fields?.get(providerKey);
        if (provider?.getStringValue().includes("pulumi-clouddb/provider")) {
            const urn = provider.cloneMessage();
            urn.setStringValue(this.getUrn());
            fields?.set(engineUrnKey, urn);
        }
        return properties;
    };
}
