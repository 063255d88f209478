import type { dynamic } from "@pulumi/pulumi";
import { providerKey } from "./reference";

/** The property in which a dynamic provider finds the URN of a deletion or a read. */
export const engineUrnKey = "__engineUrn";

/** The part of Pulumi's request messages that is used here. */
interface Request {
    getId(): string;
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

/** The URN of the deletion whose id Pulumi's host has read last. */
let urnOfDeletion: string | undefined;

/**
 * Makes the URN of deletions and reads available to the providers of this package. Pulumi's host passes only the last outputs
 * of a resource to its provider, so that after a rename the provider would see the URN of the last update, which may now
 * belong to another resource or to none.
 */
export function passRequestUrns(modules: NodeJS.Dict<NodeJS.Module> = require.cache): void {
    for (const [file, module] of Object.entries(modules)) {
        if (messages.test(file)) {
            const { DeleteRequest, ReadRequest } = module?.exports as Record<
                string,
                { prototype: Request } | undefined
            >;
            if (DeleteRequest !== undefined) {
                noteUrnOf(DeleteRequest.prototype);
            }
            if (ReadRequest !== undefined) {
                addUrnTo(ReadRequest.prototype);
            }
        }
    }
}

/**
 * Passes the URN of each deletion. Pulumi's host reads the id of the request in the expression that calls the provider, after it
 * has loaded the provider, so this holds for the first call of a process as well.
 */
export function withUrnOfDeletion<Provider extends Required<Pick<dynamic.ResourceProvider, "delete">>>(
    provider: Provider,
): Provider {
    return {
        ...provider,
        delete: (id: string, props: object) => {
            const urn = urnOfDeletion;
            urnOfDeletion = undefined;
            return provider.delete(id, urn === undefined ? props : { ...props, [engineUrnKey]: urn });
        },
    };
}

function noteUrnOf(prototype: Request): void {
    const original: (this: Request) => string = Reflect.get(prototype, "getId");
    prototype.getId = function (this: Request) {
        urnOfDeletion = this.getUrn();
        return original.call(this);
    };
}

/** Adds the URN to the properties. The host has read those of the first call of a process before it loads the provider. */
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
