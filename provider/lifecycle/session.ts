import { parseTimeout, type Timeouts } from "../base/time";
import { setMaxListeners } from "node:events";
import { Client, type ClientParts } from "../api/client";
import { systemClock, type Clock, systemRandom } from "../api/clock";
import { ApiError, CloudDbError, ConfigError, DeadlineError, ProjectNotFoundError, CallError } from "../api/callErrors";
import {
    checkSettings,
    resolveDeletionProtection,
    resolveProjectId,
    resolveSettings,
    settingNames,
    type SettingSource,
} from "../api/settings";
import type { HiddenInputs, Times, Resource } from "../model/resource";

import { linesOf, type Message, type Notice, type Text } from "../base/message";
import { KeyedMutex } from "../reconcile/reconcile";
import type { Context } from "../model/context";
import type { AnyOperation } from "../model/operation";
import { Ledger } from "../model/ledger";
import { Lists } from "../observe/lists";
import { messages, type Verb } from "./messages";

/** The state that all resources of a run share: settings, client, lists and engine. */
export class Session {
    private readonly clock: Clock;
    private readonly lists: Lists;
    private readonly locks = new KeyedMutex();
    private source: SettingSource;
    private client: Client | undefined;
    /** The calls of the engine in progress. */
    readonly calls = new Calls();
    readonly ledger = new Ledger();
    /** The projects of the deletions of this process. */
    private readonly deletesIn = new Set<string>();
    /** The projects in which a deletion has found nothing, and whether this token cannot see them. */
    readonly blindIn = new Map<string, Promise<boolean>>();
    /** The resources in the state that this run has read. */
    readonly reads = new Set<string>();

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
        times: Times,
        timeouts: Timeouts | undefined = __timeouts,
    ): Context {
        const custom = timeouts?.[operation];
        const timeMs = (custom === undefined ? undefined : parseTimeout(custom)) ?? times[operation];
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
            status: (text, step) => {
                if (shown.get(step) !== text) {
                    shown.set(step, text);
                    this.engine.status(urn, text, step);
                }
            },
            done: () => {
                // The engine prints its own text, after the last status.
                if (shown.has(undefined)) {
                    this.engine.status(urn, "");
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

/** The problem with a setting. Undefined if it is valid. */
export function settingError(read: () => unknown): Message | undefined {
    try {
        read();
        return undefined;
    } catch (error) {
        if (error instanceof ConfigError) {
            return error.parts;
        }
        throw error;
    }
}

/** The calls of the engine in progress. */
export class Calls {
    private readonly inProgress = new Set<Promise<unknown>>();

    track<T>(call: Promise<T>): Promise<T> {
        const ended: Promise<unknown> = call.catch(() => undefined).finally(() => this.inProgress.delete(ended));
        this.inProgress.add(ended);
        return call;
    }

    /** Resolves when they have ended. True if there were any. */
    async ended(): Promise<boolean> {
        const ended = await Promise.all(this.inProgress);
        return ended.length > 0;
    }
}

/**
 * Prints lines. In a log, Pulumi repeats the first line of the last message in each row of the resource, and prints all lines
 * at the end: with an empty first line, each one appears once.
 */
export function print(engine: Engine, urn: string | undefined, notices: readonly Notice[]): void {
    for (const { severity, text } of notices) {
        engine[severity](urn, severity === "info" ? ["", ...[text].flat()] : text);
    }
}

/** The Pulumi engine that started this process. */
export interface Engine {
    /** The address of the engine, which is the same for all processes of a run. Undefined without an engine. */
    readonly address: string | undefined;
    /** Prints permanent lines under a resource. */
    info(urn: string | undefined, text: Text): void;
    warn(urn: string | undefined, text: Text): void;
    /** Replaces the status in the row of a resource during its operation, or in a row that only a step of it has. */
    status(urn: string | undefined, text: string, step?: string): void;
    /** Resolves when the engine has received all lines. */
    flushed(): Promise<void>;
    /** Aborted when all operations must end: the run is cancelled, which still stores what is known, or the engine has exited. */
    readonly runEnded: AbortSignal;
}

/**
 * Does the work of one operation on a resource. Its error names the resource and what was not done, or the time limit that has
 * passed, or would pass in a pause that the API asks for.
 */
export async function inOperation<T>(
    verb: Verb,
    { subject, context }: Pick<AnyOperation, "subject" | "context">,
    work: () => Promise<T>,
): Promise<T> {
    try {
        return await work();
    } catch (error) {
        const { beganAt, deadlineAt, timeoutSetting } = context;
        if (error instanceof DeadlineError) {
            throw new CloudDbError(messages.operationTimedOut(subject, deadlineAt - beganAt, timeoutSetting, error));
        }
        // The cause is the token or the project, whatever the resource.
        const isOfAny = error instanceof ProjectNotFoundError || (error instanceof ApiError && error.status === 401);
        throw error instanceof CallError && !isOfAny
            ? new CloudDbError(messages.operationFailed(subject, verb, error))
            : error;
    }
}

/** One kind of resource in a process of the provider. Each call of the engine receives it. */
export interface Managed {
    readonly resource: Resource;
    readonly session: Session;
    /** All kinds of resources, this one included. */
    readonly kinds: readonly Resource[];
}

export function manage(resource: Resource, session: Session, kinds: readonly Resource[]): Managed {
    return { resource, session, kinds };
}

/** Adds the default project. */
export function inProject<Inputs extends { readonly projectId?: unknown }>(
    session: Session,
    inputs: Inputs,
): Inputs & { projectId: string } {
    return { ...inputs, projectId: (inputs.projectId ?? session.projectId()) as string };
}
