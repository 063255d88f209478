import {
    CheckRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    ReadRequest,
    UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { DynamicProvider } from "../../provider/hosts/dynamic/dynamicProvider";
import { decode, encode } from "../../provider/hosts/codec";
import { connectEngine } from "../../provider/hosts/engine";
import { StoredFailure } from "../../provider/hosts/native/failure";
import { NativeResource } from "../../provider/hosts/native/resource";
import { pack, unpack } from "../../provider/hosts/native/values";
import { Session } from "../../provider/lifecycle/session";
import type { Text } from "../../provider/inputs/printable";
import { hasUnknown } from "../../provider/inputs/unknown";
import type { HiddenInputs } from "../../provider/contract/resource";
import type { ResourceType } from "../../provider/resources/index";
import { untypedLifecycles } from "./lifecycles";
import { inProcess } from "./inProcess";
import { type Simulation } from "./simulation";

// Makes the engine's calls for one resource, in the engine's order, to both hosts in this process.

type Values = Record<string, unknown>;

/** A resource in the state. */
export interface Entry {
    readonly id: string;
    /** The outputs in the encoding of the host. */
    readonly outputs: Values;
}

/** What a preview of one resource shows. */
export interface Preview {
    readonly operation: "create" | "update" | "replace" | "same";
    /** The steps of the plan, without their numbers. */
    readonly steps: readonly string[];
    readonly lines: readonly string[];
    /** The known outputs. Empty for the dynamic host, whose updates show none. */
    readonly known: Values;
}

/** The result of updating one resource. */
export interface Updated {
    readonly entry: Entry;
    readonly outputs: Values;
    readonly error?: unknown;
}

/** One of the provider's hosts. */
export interface TestHost {
    readonly preview: (type: ResourceType, inputs: Values, entry?: Entry) => Promise<Preview>;
    readonly up: (type: ResourceType, inputs: Values, entry?: Entry) => Promise<Updated>;
    readonly refresh: (type: ResourceType, entry: Entry) => Promise<Entry>;
}

const nameOf = (type: ResourceType) => `urn:pulumi:dev::shop::clouddb:index:${type}::it`;

/** Starts sessions of a provider that calls the emulator of a simulation, and records what they print. */
export function sessionsOn(world: Simulation, gone = new AbortController().signal) {
    const lines: string[] = [];
    const statuses: string[] = [];
    const note = (_urn: string | undefined, text: Text) => lines.push([text].flat().join("\n").trimStart());
    const status = (_urn: string | undefined, text: string) => statuses.push(text);
    const engine = { ...connectEngine(undefined), info: note, warn: note, status, gone };
    const { emulator } = world;
    const settings = {
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_ACCESS_TOKEN: emulator.token,
        CLOUDDB_PROJECT_ID: emulator.projectId,
    };
    const parts = { clock: world.run().clock, random: () => 0.5, adapter: inProcess(emulator) };
    return { lines, statuses, startSession: () => new Session(engine, settings, parts) };
}

/** A session with the lines that it prints. */
function begin(world: Simulation) {
    const { lines, startSession } = sessionsOn(world);
    const session = startSession();
    session.configure((key) => (key === "deletionProtection" ? "false" : undefined));
    return { lines, session };
}

function previewOf(operation: Preview["operation"], printed: readonly string[], outputs: Values): Preview {
    const lines = printed.flatMap((text) => text.split("\n"));
    return {
        operation,
        lines,
        steps: lines.filter((line) => /^\d+ /.test(line)).map((line) => line.replace(/^\d+ /, "")),
        known: Object.fromEntries(Object.entries(outputs).filter(([, value]) => !hasUnknown(value))),
    };
}

/** The outputs with undefined for those that are absent. */
const visibleOf = (outputs: Values): Values =>
    Object.fromEntries(
        Object.entries(outputs)
            .filter(([name]) => !name.startsWith("__"))
            .map(([name, value]) => [name, plainOf(value) ?? undefined]),
    );

/**
 * Creates a resource, and deletes the one that it replaces, if there is one. After a partly failed creation, a later run of
 * the engine deletes the old resource.
 */
async function inEngineOrder<T>(
    create: () => Promise<T>,
    deleteOld: (() => Promise<unknown>) | undefined,
    deletesFirst: boolean,
    leftPart: (error: unknown) => boolean,
): Promise<T> {
    if (deletesFirst) {
        await deleteOld?.();
        return create();
    }
    try {
        const created = await create();
        await deleteOld?.();
        return created;
    } catch (error) {
        if (leftPart(error)) {
            await deleteOld?.();
        }
        throw error;
    }
}

/** Whether a creation or an update of the plugin failed and left a resource in the state. */
const isPartial = (error: unknown): error is StoredFailure => error instanceof StoredFailure;

/** The same for the dynamic provider, whose errors do not have their own class. */
const hasPartialState = (error: unknown): error is { readonly id: string; readonly properties: Values } => {
    const { id, properties } = error as { id?: string; properties?: Values };
    return id !== undefined && properties !== undefined;
};

/** What the engine passes to a dynamic provider: secrets in plain text. */
const withoutSecrets = (values: Values): Values => encode(unpack(pack(encode(values))).values);

const plainOf = (value: unknown): unknown => unpack(pack({ value })).values.value;

/** The plugin. Each call of `preview` and `up` is a separate run. */
export function nativeHostIn(world: Simulation): TestHost {
    const packed = (values: Values) => pack(values);
    const start = (type: ResourceType) => {
        const { lines, session } = begin(world);
        return { lines, plugin: new NativeResource(untypedLifecycles[type].resource, session, true) };
    };
    const checked = (type: ResourceType, plugin: ReturnType<typeof start>["plugin"], inputs: Values, entry?: Entry) => {
        const olds = packed(entry?.outputs ?? {});
        const news = packed(encode(inputs));
        const response = plugin.check(new CheckRequest().setUrn(nameOf(type)).setNews(news).setOlds(olds));
        const [failure] = response.getFailuresList();
        if (failure !== undefined) {
            throw new Error(failure.getReason());
        }
        return response.getInputs();
    };
    const compared = (type: ResourceType, inputs: Values, entry?: Entry) => {
        const run = start(type);
        const news = checked(type, run.plugin, inputs, entry);
        if (entry === undefined) {
            return { ...run, news, deletesFirst: false, operation: "create" as const };
        }
        const request = new DiffRequest().setUrn(nameOf(type)).setId(entry.id).setNews(news);
        const difference = run.plugin.diff(request.setOlds(packed(entry.outputs)));
        const isReplaced = difference.getReplacesList().length > 0;
        if (isReplaced) {
            // The engine checks a replacement again, without the state.
            checked(type, run.plugin, inputs);
        }
        const isSame = difference.getChanges() === DiffResponse.DiffChanges.DIFF_NONE;
        return {
            ...run,
            news,
            deletesFirst: difference.getDeletebeforereplace(),
            operation: isReplaced ? ("replace" as const) : isSame ? ("same" as const) : ("update" as const),
        };
    };
    const createRequest = (type: ResourceType) => new CreateRequest().setUrn(nameOf(type));
    const updateRequest = (type: ResourceType, { id, outputs }: Entry) =>
        new UpdateRequest().setUrn(nameOf(type)).setId(id).setOlds(packed(outputs));
    return {
        preview: async (type, inputs, entry) => {
            const { plugin, lines, news, operation } = compared(type, inputs, entry);
            if (operation === "same" && entry !== undefined) {
                return previewOf(operation, lines, visibleOf(entry.outputs));
            }
            const response =
                operation === "update" && entry !== undefined
                    ? await plugin.update(updateRequest(type, entry).setNews(news).setPreview(true))
                    : await plugin.create(createRequest(type).setProperties(news).setPreview(true));
            return previewOf(operation, lines, visibleOf(response.getProperties()?.toJavaScript() ?? {}));
        },
        up: async (type, inputs, entry) => {
            const { plugin, news, operation, deletesFirst } = compared(type, inputs, entry);
            if (operation === "same" && entry !== undefined) {
                return { entry, outputs: visibleOf(entry.outputs) };
            }
            const deleteOld = async ({ id, outputs }: Entry) => {
                const request = new DeleteRequest().setUrn(nameOf(type)).setId(id);
                await plugin.delete(request.setProperties(packed(outputs)));
            };
            try {
                if (operation === "update" && entry !== undefined) {
                    const response = await plugin.update(updateRequest(type, entry).setNews(news));
                    const outputs = response.getProperties()?.toJavaScript() ?? {};
                    return { entry: { id: entry.id, outputs }, outputs: visibleOf(outputs) };
                }
                const create = () => plugin.create(createRequest(type).setProperties(news));
                const response = await inEngineOrder(
                    create,
                    entry && (() => deleteOld(entry)),
                    deletesFirst,
                    isPartial,
                );
                const outputs = response.getProperties()?.toJavaScript() ?? {};
                return { entry: { id: response.getId(), outputs }, outputs: visibleOf(outputs) };
            } catch (error) {
                if (!isPartial(error)) {
                    throw error;
                }
                const outputs = error.properties.toJavaScript() as Values;
                return { entry: { id: error.id, outputs }, outputs: visibleOf(outputs), error };
            }
        },
        refresh: async (type, { id, outputs }) => {
            const { plugin } = start(type);
            const request = new ReadRequest().setUrn(nameOf(type)).setId(id).setProperties(packed(outputs));
            const response = await plugin.read(request);
            return { id, outputs: response.getProperties()?.toJavaScript() ?? {} };
        },
    };
}

/** The dynamic provider. Each call of `preview` and `up` is a separate run. */
export function dynamicHostIn(world: Simulation): TestHost {
    const urn = (type: ResourceType) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:${type}::it`;
    const compared = async (type: ResourceType, inputs: Values, entry: Entry | undefined, isPreview: boolean) => {
        const { lines, session } = begin(world);
        const provider = new DynamicProvider(untypedLifecycles[type].resource, session);
        const { __program: program } = inputs as HiddenInputs;
        const ofProgram = { __program: { ...program, ...(isPreview ? { isPreview } : {}) } };
        const given = { ...encode(inputs), __urn: urn(type), ...ofProgram };
        const olds = withoutSecrets(entry?.outputs ?? {});
        const { inputs: checked = {}, failures = [] } = await provider.check(olds, given);
        const [failure] = failures;
        if (failure !== undefined) {
            throw new Error(failure.reason);
        }
        const news = withoutSecrets(checked);
        if (entry === undefined) {
            return { provider, lines, news, deletesFirst: false, operation: "create" as const };
        }
        const {
            changes,
            replaces = [],
            deleteBeforeReplace: deletesFirst = false,
        } = await provider.diff(entry.id, olds, news);
        if (replaces.length > 0) {
            // The engine checks a replacement again, without the state.
            const [refusal] = (await provider.check({}, given)).failures ?? [];
            if (refusal !== undefined) {
                throw new Error(refusal.reason);
            }
            return { provider, lines, news, deletesFirst, operation: "replace" as const };
        }
        const operation = changes === false ? ("same" as const) : ("update" as const);
        return { provider, lines, news, deletesFirst, operation };
    };
    return {
        preview: async (type, inputs, entry) => {
            const { lines, operation } = await compared(type, inputs, entry, true);
            return previewOf(operation, lines, {});
        },
        up: async (type, inputs, entry) => {
            const { provider, news, operation, deletesFirst } = await compared(type, inputs, entry, false);
            if (operation === "same" && entry !== undefined) {
                return { entry, outputs: visibleOf(entry.outputs) };
            }
            try {
                if (operation === "update" && entry !== undefined) {
                    const { outs = {} } = await provider.update(entry.id, withoutSecrets(entry.outputs), news);
                    return { entry: { id: entry.id, outputs: outs }, outputs: visibleOf(outs) };
                }
                const create = () => provider.create(news);
                const deleteOld = entry && (() => provider.delete(entry.id, withoutSecrets(entry.outputs)));
                const { id, outs = {} } = await inEngineOrder(create, deleteOld, deletesFirst, hasPartialState);
                return { entry: { id, outputs: outs }, outputs: visibleOf(outs) };
            } catch (error) {
                if (!hasPartialState(error)) {
                    throw error;
                }
                const { id, properties } = error;
                return { entry: { id, outputs: properties }, outputs: visibleOf(decode(properties)), error };
            }
        },
        refresh: async (type, { id, outputs }) => {
            const { session } = begin(world);
            const { props = {} } = await new DynamicProvider(untypedLifecycles[type].resource, session).read(
                id,
                withoutSecrets(outputs),
            );
            return { id, outputs: props };
        },
    };
}

/** Both hosts, for tests of what they have in common. */
export const hosts = [
    ["the plugin", nativeHostIn],
    ["the dynamic provider", dynamicHostIn],
] as const;
