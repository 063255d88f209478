import { decode, encode } from "../../provider/hosts/codec";
import { connectEngine } from "../../provider/hosts/engine";
import { hasComputed } from "../../provider/base/fields";
import type { Text } from "../../provider/base/message";
import { Session } from "../../provider/lifecycle/session";
import type { HiddenInputs } from "../../provider/model/resource";
import type { ResourceType } from "../../provider/resources/index";
import { callsOf, typeTokens, type HostName, type Result } from "./calls";
import type { Values } from "./cases/property";
import { inProcess } from "./inProcess";
import { marked, properties, returned } from "./properties";
import type { Simulation } from "./simulation";

// Makes the engine's calls for one resource, in the engine's order, to both hosts in this process.

export interface Entry {
    readonly id: string;
    /** The outputs, with marks on the secrets. */
    readonly outputs: Values;
}

export type Preview = ReturnType<typeof previewOf>;

export type TestHost = ReturnType<typeof hostIn>;

/** Starts sessions of a provider that calls the emulator of a simulation, and records what they print. */
export function sessionsOn(world: Simulation, runEnded = new AbortController().signal) {
    const lines: string[] = [];
    const statuses: string[] = [];
    const note = (_urn: string | undefined, text: Text) => lines.push([text].flat().join("\n").trimStart());
    const showRow = (_urn: string | undefined, text: string) => statuses.push(text);
    const engine = { ...connectEngine(undefined), info: note, warn: note, showRow, runEnded };
    const { emulator } = world;
    const parts = { clock: world.run().clock, random: () => 0.5, adapter: inProcess(emulator) };
    return { lines, statuses, startSession: () => new Session(engine, emulator.env, parts) };
}

function previewOf(operation: "create" | "update" | "replace" | "same", printed: readonly string[], outputs: Values) {
    const lines = printed.flatMap((text) => text.split("\n"));
    return {
        operation,
        lines,
        /** The steps of the plan, without their numbers. */
        steps: lines.filter((line) => /^\d+ /.test(line)).map((line) => line.replace(/^\d+ /, "")),
        /** The known outputs. Empty for the dynamic host, whose updates show none. */
        known: Object.fromEntries(Object.entries(outputs).filter(([, value]) => !hasComputed(value))),
    };
}

/** The outputs with undefined for those that are absent. */
const visibleOf = ({ outputs }: Entry): Values =>
    Object.fromEntries(
        Object.entries(propertiesOf(outputs).values)
            .filter(([name]) => !name.startsWith("__"))
            .map(([name, value]) => [name, decode({ value }).value]),
    );

/** What the engine makes of the outputs of a host. */
const propertiesOf = (outputs: Values) => returned(outputs, properties({}));

/** What the state records for later runs. */
export const recordOf = ({ outputs }: Entry): object => propertiesOf(outputs).values.__record ?? {};

const entryOf = ({ id, outputs }: Result): Entry => ({ id, outputs: marked(outputs) });

/** A host of the provider. Each call of `preview` and `up` is a separate run, which `runEnded` cancels. */
function hostIn(host: HostName, world: Simulation, runEnded?: AbortSignal) {
    const start = (type: ResourceType) => {
        const { lines, statuses, startSession } = sessionsOn(world, runEnded);
        const session = startSession();
        session.configure((key) => (key === "deletionProtection" ? "false" : undefined));
        const calls = callsOf(host, type, session);
        const call = (entry?: Entry) => ({
            urn: `urn:pulumi:dev::shop::${typeTokens[host]}${type}::it`,
            ...(entry && { id: entry.id, olds: propertiesOf(entry.outputs) }),
        });
        return { lines, statuses, calls, call };
    };
    const compared = async (type: ResourceType, inputs: Values, entry: Entry | undefined, isPreview: boolean) => {
        const { lines, statuses, calls, call } = start(type);
        const { __program: program } = inputs as HiddenInputs;
        // The classes pass these to the dynamic host, which no request has.
        const hidden =
            host === "dynamic"
                ? { __urn: call().urn, __program: { ...program, ...(isPreview ? { isPreview } : {}) } }
                : {};
        const given = properties({ ...encode(inputs), ...hidden });
        const news = await calls.check({ ...call(entry), news: given });
        const run = { lines, statuses, calls, call, news, deletesFirst: false };
        if (entry === undefined) {
            return { ...run, operation: "create" as const };
        }
        const { changes, replaces, deleteBeforeReplace } = await calls.diff({ ...call(entry), news });
        if (replaces) {
            // The engine checks a replacement again, without the state.
            await calls.check({ ...call(), news: given });
            return { ...run, operation: "replace" as const, deletesFirst: deleteBeforeReplace };
        }
        return { ...run, operation: changes ? ("update" as const) : ("same" as const) };
    };
    return {
        preview: async (type: ResourceType, inputs: Values, entry?: Entry) => {
            const { calls, call, lines, news, operation } = await compared(type, inputs, entry, true);
            if (host === "dynamic") {
                return previewOf(operation, lines, {});
            }
            if (operation === "same" && entry !== undefined) {
                return previewOf(operation, lines, visibleOf(entry));
            }
            const previewed =
                operation === "update"
                    ? await calls.update({ ...call(entry), news, isPreview: true })
                    : await calls.create({ ...call(), news, isPreview: true });
            return previewOf(operation, lines, visibleOf(entryOf(previewed)));
        },
        up: async (type: ResourceType, inputs: Values, old?: Entry) => {
            const run = await compared(type, inputs, old, false);
            const { calls, call, lines, statuses, news, operation, deletesFirst } = run;
            if (operation === "same" && old !== undefined) {
                return { entry: old, outputs: visibleOf(old), lines, statuses, error: undefined };
            }
            const updated = (result: Result) => {
                const entry = entryOf(result);
                return { entry, outputs: visibleOf(entry), lines, statuses, error: result.error };
            };
            if (operation === "update") {
                return updated(await calls.update({ ...call(old), news }));
            }
            const deleteOld = async () => (old === undefined ? undefined : calls.delete(call(old)));
            if (deletesFirst) {
                await deleteOld();
            }
            const created = await calls.create({ ...call(), news });
            if (!deletesFirst) {
                // After a partly failed creation, it is a later run of the engine that deletes the old resource.
                await deleteOld();
            }
            return updated(created);
        },
        refresh: async (type: ResourceType, entry: Entry): Promise<Entry> => {
            const { calls, call } = start(type);
            const seen = await calls.read(call(entry));
            return seen === undefined ? { ...entry, outputs: {} } : entryOf(seen);
        },
    };
}

export const nativeHostIn = (world: Simulation, runEnded?: AbortSignal) => hostIn("native", world, runEnded);
export const dynamicHostIn = (world: Simulation, runEnded?: AbortSignal) => hostIn("dynamic", world, runEnded);

/** Both hosts, for tests of what they have in common. */
export const hosts = [
    ["the plugin", nativeHostIn],
    ["the dynamic provider", dynamicHostIn],
] as const;
