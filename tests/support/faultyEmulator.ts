import { parseFault, startEmulator } from "../../emulator";
import type { Effect, Emulator, EmulatorOptions, EmulatorResponse, Exchange, FaultInput } from "../../emulator";
import { Selection } from "../../emulator/faults/selection";
import { creationOf, kinds, type KindName } from "../../emulator/kinds";
import type { OperationId } from "../../emulator/wire";
import { Random } from "../../emulator/world/random";

type Json = Readonly<Record<string, unknown>>;

/** A call whose response a fault changes. */
interface Changed {
    readonly response: EmulatorResponse;
    /** The parsed body. Undefined if it is not JSON. */
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
    otherObject: ({ response, body, exchange, emulator }) => {
        const kind = creationOf(exchange.operationId)?.name ?? reads[exchange.operationId];
        const isObject = typeof body === "object" && body !== null;
        return kind && isObject && response.status < 300
            ? oldestOther(kind, body as Json, exchange, emulator)
            : undefined;
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

/** Starts an emulator whose faults can have these effects as well. Those of the emulator itself apply first. */
export async function startFaultyEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const random = new Random(options.seed ?? 1);
    const selection = new Selection(random);
    const active: { text: string; placeholder: Effect; change: (call: Changed) => unknown }[] = [];
    /** Adds the faults with these effects, and returns all others. */
    const add = (inputs: readonly FaultInput[]): FaultInput[] =>
        inputs.filter((input) => {
            const text = typeof input === "string" ? input : "";
            const [, where = "", name = ""] = /^([^:]*):(\w+)$/.exec(text) ?? [];
            const change = Object.hasOwn(effects, name) ? effects[name] : undefined;
            if (change) {
                const placeholder: Effect = { kind: "omit" };
                selection.add([{ ...parseFault(`${where}:omit`), effect: placeholder }]);
                active.push({ text, placeholder, change });
            }
            return !change;
        });
    const emulator: Emulator = await startEmulator({
        ...options,
        faults: add(options.faults ?? []),
        intercept: async (exchange, carryOut) => {
            const { method, path } = exchange.request;
            const found = selection.effectsOn(exchange.operationId, method.toUpperCase(), path);
            const hits = active.filter(({ placeholder }) => found.includes(placeholder));
            const response = await (options.intercept?.(exchange, carryOut) ?? carryOut());
            return hits.reduce((before, { text, change }) => {
                const body = change({ response: before, body: parsed(before.body), exchange, emulator, random });
                if (body === undefined) {
                    return before;
                }
                exchange.noteFault(text);
                return { ...before, body: JSON.stringify(body) };
            }, response);
        },
    });
    return {
        ...emulator,
        faults: () => [
            ...emulator.faults(),
            ...selection.report().map(({ hits }, index) => ({ hits, fault: active[index]?.text ?? "" })),
        ],
        addFaults: (inputs) => emulator.addFaults(add(inputs)),
        clearFaults: () => {
            selection.clear();
            active.length = 0;
            emulator.clearFaults();
        },
    };
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
