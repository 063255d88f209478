import { setMaxListeners } from "node:events";
import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../emulator";
import type { Clock } from "../../provider/api/clock";
import { CancelledError, connectEngine } from "../../provider/hosts/engine";
import { Session } from "../../provider/lifecycle/session";
import type { Text } from "../../provider/base/message";
import { operations } from "../../provider/api/operations.gen";
import { kinds, type ResourceType } from "../../provider/resources";
import { recording, type RecordedCall } from "./engine/calls";
import { callsOf, type Calls } from "../support/calls";
import { untypedKinds } from "../support/cases";
import { hostOf } from "./engine/registration";

/** When a provider dies, together with the engine. */
export interface Death {
    /** The number of the API call, counted from 1. */
    call: number;
    /** `after`: the API processes the call. `before`: it does not receive the call. */
    when: "before" | "after";
}

/** When a run is cancelled: a signal to the engine or to all processes, while an API call is in flight. */
export type Cancellation = Pick<Death, "call">;

/** The provider processes of one run. They may die, together with the engine. */
export type Provider = ReturnType<typeof startRun>;

export interface RunOptions {
    readonly death?: Death | undefined;
    readonly cancellation?: Cancellation | undefined;
    /** The API no longer accepts the token: the configuration of the run is older than the rotation of the token. */
    readonly hasOldToken?: boolean | undefined;
    /** The token belongs to another project: the API shows it nothing, and does nothing for it. */
    readonly isBlind?: boolean;
    /** The project of the run. By default, that of the emulator. */
    readonly projectId?: string | undefined;
    /** `clouddb:deletionProtection` of the stack. */
    readonly isProtected?: boolean | undefined;
    readonly note?: (call: RecordedCall) => void;
}

/** The last parts of the paths of lists. */
const collections = kinds.map(({ operations: { list } }) => operations[list].path.split("/").at(-1));

/** An API that shows nothing of the project to a token of another one. */
const blind: AxiosAdapter = (config) => {
    const { method = "get", url = "" } = config;
    const other = { id: "otherproj1", name: "Other" };
    const answers: readonly (readonly [RegExp, object])[] = [
        [/\/auth\/info$/, { type: "apiKey", api_key: { project: other } }],
        [/\/projects$/, [other]],
        [new RegExp(`/(${collections.join("|")})$`), []],
    ];
    const [, found] = (method === "get" ? answers.find(([path]) => path.test(url)) : undefined) ?? [];
    const data = JSON.stringify(found ?? { code: "NOT_FOUND", message: "not found" });
    const headers = { "content-type": "application/json" };
    return Promise.resolve({ data, status: found === undefined ? 404 : 200, statusText: "", headers, config });
};

/** Starts the provider processes of a run. After their death they return nothing and send nothing. */
export function startRun(emulator: Emulator, clock: Clock, send: AxiosAdapter, options: RunOptions) {
    const { isProtected, death, cancellation, hasOldToken = false, projectId = emulator.projectId } = options;
    const { isBlind = false, note = () => undefined } = options;
    const sendAs = isBlind ? blind : send;
    const life = new AbortController();
    // The engine passes a cancellation only to the plugin. Pulumi's process for dynamic providers has no such call.
    const runEnded = new AbortController();
    // Each call adds a listener.
    setMaxListeners(0, life.signal, runEnded.signal);
    let cancelledAt: number | undefined;
    const cancel = () => {
        cancelledAt = clock.now();
        runEnded.abort(new CancelledError());
    };
    const died = new Promise<undefined>((resolve) => {
        life.signal.addEventListener("abort", () => resolve(undefined));
    });
    let calls = 0;
    const adapter: AxiosAdapter = async (config) => {
        life.signal.throwIfAborted();
        calls += 1;
        if (calls !== death?.call) {
            const sent = sendAs(config);
            if (calls === cancellation?.call) {
                cancel();
            }
            const response = await sent;
            life.signal.throwIfAborted();
            return response;
        }
        // A failure of this call makes no difference.
        if (death.when === "after") {
            await sendAs(config).catch(() => undefined);
        }
        life.abort();
        runEnded.abort();
        throw new Error("The provider was killed.");
    };
    const warnings: string[] = [];
    const warn = (_: string | undefined, text: Text) => void warnings.push([text].flat().join("\n"));
    const env = {
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: projectId,
        CLOUDDB_ACCESS_TOKEN: hasOldToken ? `${emulator.token}-old` : emulator.token,
    };
    const silent = {
        ...connectEngine(undefined),
        info: () => undefined,
        status: () => undefined,
        warn: () => undefined,
    };
    const start = (engine: ConstructorParameters<typeof Session>[0]) => {
        const session = new Session(engine, env, { clock, random: () => 0.5, adapter });
        session.configure((key) => (key === "deletionProtection" ? isProtected?.toString() : undefined));
        return session;
    };
    const startSession = (name: string) =>
        start({ ...silent, warn, runEnded: (hostOf(name) === "native" ? runEnded : life).signal });
    const sessions = new Map<string, Session>();
    const sessionOf = (name: string) => {
        const session = sessions.get(name) ?? startSession(name);
        sessions.set(name, session);
        return session;
    };
    const startCalls = (provider: string, type: ResourceType) =>
        callsOf(hostOf(provider), type, sessionOf(provider), untypedKinds[type].secrets);
    const found = new Map<string, Calls>();
    return {
        isDead: () => life.signal.aborted,
        /** When the run was cancelled. The engine then begins no operation, and stores the results of those in progress. */
        cancelledAt: () => cancelledAt,
        /** The methods of a resource type in the process of this provider. */
        calls: (type: ResourceType, provider: string) => {
            const name = `${provider} ${type}`;
            const calls = found.get(name) ?? recording(provider, startCalls(provider, type), note);
            found.set(name, calls);
            return calls;
        },
        /** The result of the work, or undefined as soon as the processes are dead. */
        whileAlive: <T>(work: Promise<T>) => Promise.race([died, work]),
        warnings,
        /** Starts another process with the same settings, which prints nothing. */
        startSilent: () => start(silent),
    };
}
