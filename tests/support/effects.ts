import { parseFault, type Emulator, type Exchange, type FaultInput } from "../../emulator";
import { creationOf, kinds, type KindName } from "../../emulator/kinds";
import type { OperationId } from "../../emulator/wire";
import { Random } from "../../emulator/world/random";

type Json = Readonly<Record<string, unknown>>;

/** A successful call whose response an effect changes, with its parsed body. */
interface Changed {
    readonly body: unknown;
    readonly exchange: Exchange;
    readonly emulator: Emulator;
    readonly random: Random;
}

/** The operations that read one resource. */
const reads: Partial<Record<OperationId, KindName>> = {
    getVpc: "vpcs",
    getPeering: "peerings",
    getService: "services",
};

/** The effects that only the tests of this repository need. Each returns another body, or undefined to keep it. */
const effects: Readonly<Record<string, (call: Changed) => unknown>> = {
    /** Adds an entry that violates the contract to a list. */
    malformedEntry: ({ body, random }) => {
        if (!Array.isArray(body)) {
            return undefined;
        }
        const entry = malformedEntries[random.integer(0, malformedEntries.length)];
        const at = random.integer(0, body.length + 1);
        return [...(body as unknown[]).slice(0, at), entry, ...(body as unknown[]).slice(at)];
    },
    /** Returns `null` in place of an empty list. */
    nullList: ({ body }) => (Array.isArray(body) && body.length === 0 ? null : undefined),
    /** Describes the oldest other object in the same place, if there is one, in place of the resource that was created or read. */
    otherObject: ({ body, exchange, emulator }) => {
        const kind = creationOf(exchange.operationId)?.name ?? reads[exchange.operationId];
        const isObject = typeof body === "object" && body !== null;
        return kind && isObject ? oldestOther(kind, body as Json, exchange, emulator) : undefined;
    },
};

/** Some of them have an id, others do not. */
const malformedEntries: readonly unknown[] = [
    null,
    "entry",
    {},
    { id: 5, service_id: 5, name: 5 },
    { id: "999999", service_id: "malformed1", name: "malformed", status: null, resources: "none" },
];

/** The oldest other resource of the same kind in the same parent. */
function oldestOther(kind: string, body: Json, { request }: Exchange, emulator: Emulator): Json | undefined {
    const all = (emulator.snapshot() as unknown as Readonly<Record<string, readonly Json[]>>)[kind] ?? [];
    const { parent = "" } = kinds.find(({ name }) => name === kind) ?? {};
    const [, parentId] = new RegExp(`/${parent}s/([^/]+)`).exec(request.path) ?? [];
    const idName = kind === "services" ? "service_id" : "id";
    const found = all.find((one) => one[`${parent}_id`] === parentId && one[idName] !== body[idName]);
    // A response does not contain the id of the parent, except that of a service.
    return found && Object.fromEntries(Object.entries(found).filter(([name]) => name in body || !name.endsWith("_id")));
}

/** Adds faults in short form, which can have these effects as well. */
export function addFaults(emulator: Emulator, faults: readonly string[]): void {
    const random = new Random(emulator.journal().length + 1);
    const fault = (text: string): FaultInput => {
        const [, where = "", name = ""] = /^([^:]*):(\w+)$/.exec(text) ?? [];
        const change = Object.hasOwn(effects, name) ? effects[name] : undefined;
        if (!change) {
            return text;
        }
        return {
            ...parseFault(`${where}:omit`),
            effect: async (exchange, carryOut) => {
                const response = await carryOut();
                if (response.status >= 300) {
                    return response;
                }
                const body = change({ body: parsed(response.body), exchange, emulator, random });
                return body === undefined ? response : { ...response, body: JSON.stringify(body) };
            },
        };
    };
    emulator.addFaults(faults.map(fault));
}

/** Another fault may have damaged the body. */
function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
