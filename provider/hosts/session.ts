import { Client, type ClientParts } from "../api/client";
import { systemClock } from "../api/clock";
import { ConfigError } from "../api/errors";
import { checkBaseUrl, resolveProjectId, resolveSettings, type SettingSource } from "../api/settings";
import type { OperationKind, Times } from "../lifecycle/resource";
import { parseTimeout } from "../inputs/fields";
import { KeyedMutex } from "../lifecycle/keyedMutex";
import type { OperationContext } from "../lifecycle/operation";
import { History } from "../wait/schedule";
import { Poller } from "../wait/poller";
import { SharedCalls } from "../wait/shared";
import type { WaitContext } from "../wait/wait";
import type { Engine } from "./engine";
import { ManagedResources } from "../lifecycle/registry";
import type { Timeouts } from "../inputs/finding";

/** What all resources of a run share: the settings, the client, the poller and the way to the user's ear. */
export class Session {
    private readonly wait: WaitContext;
    private readonly lists: SharedCalls;
    private readonly locks = new KeyedMutex();
    private source: SettingSource;
    private client: Client | undefined;
    private readonly previews = new Set<string>();
    private readonly replacing = new Map<string, string>();
    /** What the resources of the program have. */
    readonly holders = new ManagedResources();

    constructor(
        readonly engine: Engine,
        private readonly env: SettingSource["env"] = process.env,
        private readonly parts: ClientParts = {},
    ) {
        const { clock = systemClock, random = Math.random } = parts;
        this.wait = { clock, random, poller: new Poller(clock, random), history: new History() };
        this.lists = new SharedCalls(clock);
        this.source = { config: () => undefined, env };
    }

    /** Takes over the stack's config, of which keys are asked without `clouddb:`. */
    configure(config: SettingSource["config"]): void {
        this.source = { config, env: this.env };
    }

    /** The project from the settings; a resource may name another. */
    projectId(): string {
        return resolveProjectId(this.source);
    }

    /** What is wrong with the settings, as far as a preview needs to know; a token is none of its business. */
    settingProblem(): string | undefined {
        return settingError(() => checkBaseUrl(this.source));
    }

    /** What a resource may use for one operation on it. */
    run(
        operation: OperationKind,
        urn: string | undefined,
        times: Times,
        timeouts: Timeouts | undefined,
        declaredFor: OperationContext["declaredFor"],
    ): OperationContext {
        const custom = timeouts?.[operation];
        const timeMs = (custom === undefined ? undefined : parseTimeout(custom)) ?? times[operation];
        const beganAt = this.wait.clock.now();
        const client = () => (this.client ??= new Client(resolveSettings(this.source), this.parts));
        return {
            // A change of the state alone needs no token.
            get client() {
                return client();
            },
            wait: this.wait,
            lists: this.lists,
            locks: this.locks,
            beganAt,
            deadlineAt: beganAt + timeMs,
            timeoutSetting: `customTimeouts.${operation}`,
            signal: this.engine.gone,
            status: (text) => {
                this.engine.status(urn, text);
            },
            info: (text) => {
                this.engine.info(urn, text);
            },
            warn: (text) => {
                this.engine.warn(urn, text);
            },
            usualMs: times.usual,
            replacing: urn === undefined ? undefined : this.replacing.get(urn),
            declaredFor,
        };
    }

    /** The program says of each resource whether it is only previewed; the engine does not. */
    notePreview(urn: string, isPreview: boolean): void {
        if (isPreview) {
            this.previews.add(urn);
        } else {
            this.previews.delete(urn);
        }
    }

    isPreview(urn: string | undefined): boolean {
        return urn !== undefined && this.previews.has(urn);
    }

    /** Whether this value, an id or an object that holds one, refers to a resource that this run replaces. */
    refersToReplaced(value: unknown): boolean {
        const ids = new Set(this.replacing.values());
        const found = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return found.some((item) => typeof item === "string" && ids.has(item));
    }

    /** A resource that is replaced is made once more beside the old one, which is then no stranger. */
    noteReplacement(urn: string, id: string): void {
        this.replacing.set(urn, id);
    }

    /** The resource is not replaced, whatever an earlier comparison has said. */
    forgetReplacement(urn: string): void {
        this.replacing.delete(urn);
    }
}

/** What is wrong with a setting, or undefined. */
export function settingError(read: () => unknown): string | undefined {
    try {
        read();
        return undefined;
    } catch (error) {
        if (error instanceof ConfigError) {
            return error.message;
        }
        throw error;
    }
}
