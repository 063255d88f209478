import { parseTimeout, type Timeouts } from "../base/time";
import { setMaxListeners } from "node:events";
import { Client, type ClientParts } from "../api/client";
import { systemClock, type Clock, systemRandom } from "../api/clock";
import {
    checkSettings,
    resolveDeletionProtection,
    resolveProjectId,
    resolveSettings,
    settingError,
    settingNames,
    type SettingSource,
} from "../api/settings";
import type { HiddenInputs } from "../model/resource";
import { linesOf, type Message } from "../base/message";
import { Locks } from "../model/locks";
import type { Context } from "../model/context";
import { Calls, type Engine } from "../model/engine";
import { Ledger } from "../model/ledger";
import { Lists } from "../observe/lists";

/** The state that all resources of a run share: settings, client, lists and engine. */
export class Session {
    private readonly clock: Clock;
    private readonly lists: Lists;
    private readonly locks = new Locks();
    private source: SettingSource;
    private client: Client | undefined;
    /** The calls of the engine in progress. */
    readonly calls = new Calls();
    readonly ledger = new Ledger();
    /** The projects of the deletions of this process. */
    private readonly deletesIn = new Set<string>();

    constructor(
        readonly engine: Engine,
        private readonly env: SettingSource["env"] = process.env,
        private readonly parts: ClientParts = {},
    ) {
        const { clock = systemClock, random = systemRandom } = parts;
        // Each wait and each request of a run adds a listener.
        setMaxListeners(0, engine.runEnded);
        this.clock = clock;
        this.lists = new Lists(clock, random);
        this.source = { config: () => undefined, env };
    }

    /** Sets the stack config, or the arguments of an explicit provider. The keys have no `clouddb:` prefix. */
    configure(config: SettingSource["config"], provider?: string): void {
        this.source = { config, env: this.env, provider };
    }

    /** The settings of the stack or of the explicit provider, in the form of a stack config. */
    stackConfig(): Record<string, string> {
        const settings = settingNames.flatMap((key) => {
            const value = this.source.config(key);
            return value === undefined ? [] : [[`clouddb:${key}`, value] as const];
        });
        return Object.fromEntries(settings);
    }

    /** The time in milliseconds since 1970. */
    now(): number {
        return this.clock.now();
    }

    /** The default project from the settings. */
    projectId(): string {
        return resolveProjectId(this.source);
    }

    /** Adds the default project. */
    inProject<Inputs extends { readonly projectId?: unknown }>(inputs: Inputs): Inputs & { projectId: string } {
        return { ...inputs, projectId: (inputs.projectId ?? this.projectId()) as string };
    }

    /** The `deletionProtection` of a resource with data that does not declare it. Fails if the setting is invalid. */
    defaultProtection(): boolean {
        return resolveDeletionProtection(this.source);
    }

    /** The default protection, and true if the setting is invalid: the check then reports it. */
    protectsData(): boolean {
        const isInvalid = settingError(() => this.defaultProtection()) !== undefined;
        return isInvalid || this.defaultProtection();
    }

    /** The problem with the settings that a preview needs. */
    settingsProblem(): Message | undefined {
        return settingError(() => checkSettings(this.source));
    }

    /** Creates the context of one operation. */
    contextFor(
        operation: keyof Timeouts,
        { __urn: urn, __timeouts }: HiddenInputs,
        /** The time limit without `customTimeouts`. */
        defaultMs: number,
        timeouts: Timeouts | undefined = __timeouts,
    ): Context {
        const custom = timeouts?.[operation];
        const timeMs = (custom === undefined ? undefined : parseTimeout(custom)) ?? defaultMs;
        const beganAt = this.clock.now();
        const currentClient = this.currentClient.bind(this);
        /** The last status of each row. A pipeline prints each one that the engine receives. */
        const shown = new Map<string | undefined, string>();
        return {
            get client() {
                return currentClient();
            },
            clock: this.clock,
            lists: this.lists,
            locks: this.locks,
            beganAt,
            // Without a client, no request was sent.
            serverNow: () => (this.client?.serverClock ?? this.clock).now(),
            deadlineAt: beganAt + timeMs,
            timeoutSetting: `customTimeouts.${operation}`,
            signal: this.engine.runEnded,
            showRow: (text, step) => {
                if (shown.get(step) !== text) {
                    shown.set(step, text);
                    this.engine.showRow(urn, text, step);
                }
            },
            done: () => {
                // The engine prints its own text, after the last status.
                if (shown.has(undefined)) {
                    this.engine.showRow(urn, "");
                }
            },
            info: this.engine.info.bind(this.engine, urn),
            warn: this.engine.warn.bind(this.engine, urn),
            ledger: this.ledger,
            urn,
        };
    }

    /** Prints once for each project where this process deletes: Pulumi passes the settings of the last `pulumi up` to a destroy. */
    announceDeletions({ client, info }: Context, projectId: string): void {
        if (!this.deletesIn.has(projectId)) {
            this.deletesIn.add(projectId);
            info(`deletes at ${client.baseUrl}, project ${projectId}`);
        }
    }

    /** The client of the settings. Created on first use, because an update that only changes the state needs no token. */
    currentClient(): Client {
        const warn = (message: Message) => this.engine.warn(undefined, linesOf(message));
        return (this.client ??= new Client(resolveSettings(this.source), { ...this.parts, warn }));
    }
}
