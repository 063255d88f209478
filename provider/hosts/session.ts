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

/** The state that all resources of a run share: settings, client, poller and engine. */
export class Session {
    private readonly wait: WaitContext;
    private readonly lists: SharedCalls;
    private readonly locks = new KeyedMutex();
    private source: SettingSource;
    private client: Client | undefined;
    private readonly previews = new Set<string>();
    private readonly replacing = new Map<string, string>();
    /** Which resource of the program manages which API resource. */
    readonly managed = new ManagedResources();

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

    /** Sets the stack config. Its keys have no `clouddb:` prefix. */
    configure(config: SettingSource["config"]): void {
        this.source = { config, env: this.env };
    }

    /** The default project from the settings. */
    projectId(): string {
        return resolveProjectId(this.source);
    }

    /** The problem of the settings that a preview needs, which are those without the token. */
    settingsProblem(): string | undefined {
        return settingError(() => checkBaseUrl(this.source));
    }

    /** Creates the context of one operation. */
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
            // Created on first use, because an update that only changes the state needs no token.
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

    /** Records whether a resource is only previewed. The program reports this, because the engine does not. */
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

    /** Records a replacement, so that the old resource is not reported as a duplicate of the new one. */
    noteReplacement(urn: string, id: string): void {
        this.replacing.set(urn, id);
    }

    /** Discards the replacement that an earlier diff recorded. */
    forgetReplacement(urn: string): void {
        this.replacing.delete(urn);
    }
}

/** The problem of a setting. Undefined if it is valid. */
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
