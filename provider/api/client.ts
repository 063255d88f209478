import type { AxiosAdapter } from "axios";
import type { Authentication } from "./accessToken";
import { attempt, type AttemptOptions, withRetries, type RetryOptions } from "./retry";
import { systemClock, type Clock, type Deadline } from "./clock";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from "./contract";
import { InvalidResponseError } from "./callErrors";
import { Http, type HttpResponse } from "./http";
import { Limiter } from "./limiter";
import { operations } from "./operations.gen";
import { systemRandom } from "./random";
import { ServerClock } from "./serverClock";
import { longestListLagMs, type Settings } from "./settings";
import { mismatch, partition, withEmptyLists, type Shape, withoutDeprecatedAliases } from "./shape";

/** Replacements for the clock, the random source and the network, for tests. */
export interface ClientParts {
    readonly clock?: Clock;
    readonly random?: () => number;
    readonly adapter?: AxiosAdapter;
}

/** A list entry that does not match the contract. */
export interface MalformedEntry {
    /** The fields of the entry. Empty if the entry is not an object. */
    readonly fields: Readonly<Record<string, unknown>>;
    /** The error for a caller that needs this entry. */
    readonly error: InvalidResponseError;
}

/** The options of one call. An abort also ends the pause before a retry. */
export interface CallOptions
    extends Pick<Deadline, "signal">, Pick<RetryOptions, "onRetry" | "isSingle">, Pick<AttemptOptions, "onSlow"> {
    /**
     * When the call times out, on the clock of the client. Until then, transient failures are retried. A create request in
     * flight may return its response a few seconds later.
     * @default a minute after the call begins, which is enough for a restart of the API
     */
    readonly deadlineAt?: number | undefined;
    /** Whether the response contains the id of a new resource. After an abort, it has more time. */
    readonly isCreation?: boolean | undefined;
    /**
     * Receives the malformed entries of a list, which the result omits. Without this option, such an entry fails the
     * call.
     */
    readonly onMalformed?: ((entry: MalformedEntry) => void) | undefined;
    /**
     * Describes why a response that matches the contract cannot be the response to this request. Such a response counts as
     * missing.
     */
    readonly contradiction?: ((response: unknown) => string | undefined) | undefined;
}

/** The default of `deadlineAt`. */
const defaultTimeoutMs = 60_000;

/** The time limit for each read of a preview, including its retries. A preview must not hang. */
export const previewReadMs = 5_000;

/** The options of a call with the default time limit. */
export const readOptions: CallOptions = {};

/** The arguments of a call, as the contract describes them. An operation without a path or a body takes none. */
export type CallArguments<Id extends OperationId> = Argument<"path", PathOf<Id>> &
    Argument<"body", BodyOf<Id>> & { readonly query?: QueryOf<Id> | undefined };

type Argument<Name extends string, Type> = [Type] extends [undefined]
    ? Readonly<Partial<Record<Name, undefined>>>
    : Readonly<Record<Name, Type>>;

/** The management API. A call fails with an `ApiError`, a `ConnectionError` or an `InvalidResponseError`. */
export class Client {
    /** The base URL of the API. */
    readonly baseUrl: string;
    /** The clock of the API, from its responses. */
    readonly serverClock: ServerClock;
    /** How long lists may not show a new resource, in milliseconds. */
    readonly listLagMs: number;
    private readonly http: Http;
    private readonly clock: Clock;
    private readonly limiter: Limiter;
    private readonly random: () => number;

    constructor(settings: Settings, parts: ClientParts = {}) {
        this.clock = parts.clock ?? systemClock;
        this.baseUrl = settings.baseUrl;
        this.listLagMs = settings.listLagMs ?? longestListLagMs;
        this.serverClock = new ServerClock(this.clock);
        this.random = parts.random ?? systemRandom;
        this.limiter = new Limiter(this.clock);
        this.http = new Http(settings, parts.adapter, this.serverClock);
    }

    /** The setting or the input that contains this project, for messages. */
    projectSetting(projectId: string): string {
        return this.http.projectSetting(projectId);
    }

    /** How commands for the user authenticate. */
    get authentication(): Authentication {
        return this.http.authentication;
    }

    /** Calls an operation of the contract. */
    async call<Id extends OperationId>(
        id: Id,
        { path, query, body }: CallArguments<Id>,
        options: CallOptions,
    ): Promise<AnswerOf<Id>> {
        const operation = operations[id];
        const { deadlineAt = this.clock.now() + defaultTimeoutMs, signal } = options;
        const parameters = path as Readonly<Record<string, string>> | undefined;
        const request = {
            operation: id,
            method: operation.method,
            path: fillIn(operation.path, parameters),
            query: query as Readonly<Record<string, unknown>> | undefined,
            body,
            isCreation: options.isCreation,
        };
        const answer = "answer" in operation ? operation.answer : undefined;
        const isTolerant = options.onMalformed !== undefined;
        const contradiction = (response: unknown) =>
            otherObject(operation.path, parameters, response) ?? options.contradiction?.(response);
        const send = async () =>
            verified(
                await this.http.send(request, { deadlineAt, signal }),
                this.http,
                answer,
                isTolerant,
                contradiction,
            );
        const { clock, limiter, random } = this;
        const response = await withRetries({ ...options, clock, random, deadlineAt }, (last) =>
            attempt({ ...options, operation: id, clock, limiter, deadlineAt }, last, send),
        );
        response.malformed.forEach((entry) => options.onMalformed?.(entry));
        return withoutDeprecatedAliases(response.body) as AnswerOf<Id>;
    }
}

/** The names of the parameters in the template of a path, in order. */
export function parametersIn(template: string): string[] {
    return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The id in an object of the API: a service has it under the name of the path parameter, other objects under `id`. */
export function idIn(object: object, parameter = "id"): unknown {
    const { [parameter]: found = (object as { id?: unknown }).id } = object as Readonly<Record<string, unknown>>;
    return found;
}

/** Encodes each id, so that it cannot change other segments of the path. */
export function fillIn(template: string, parameters: Readonly<Record<string, string>> = {}): string {
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = parameters[name] ?? "";
        if (value === "" || value === "." || value === "..") {
            throw new RangeError(`${JSON.stringify(value)} is not a valid ${name} in ${template}.`);
        }
        return encodeURIComponent(value);
    });
}

/** Describes why the response to a request for one object describes another one. */
function otherObject(
    template: string,
    parameters: Readonly<Record<string, string>> = {},
    response: unknown,
): string | undefined {
    const [, name = ""] = /\{(\w+)\}$/.exec(template) ?? [];
    const requested = parameters[name];
    const found = requested === undefined ? undefined : idIn(response as object, name);
    return found === requested ? undefined : `it describes ${JSON.stringify(found)}, not ${JSON.stringify(requested)}`;
}

/**
 * Verifies a response. One that does not match the contract, or that contradicts the request, is a failure. If the caller
 * is tolerant, the malformed entries of a list are returned separately.
 */
function verified(
    { body, call, status }: HttpResponse,
    http: Http,
    shape: Shape | undefined,
    tolerant: boolean,
    contradiction: NonNullable<CallOptions["contradiction"]>,
) {
    if (shape === undefined) {
        http.recordValidResponse();
        return { body, malformed: [] };
    }
    const complete = withEmptyLists(body, shape);
    const checked = tolerant
        ? partition(complete, shape)
        : { kept: complete, malformed: [], problem: mismatch(complete, shape) };
    const problem = checked.problem ?? contradiction(checked.kept);
    if (problem !== undefined) {
        throw new InvalidResponseError(call, status, problem, "contract");
    }
    http.recordValidResponse();
    const malformed = checked.malformed.map(({ entry, problem }) => ({
        fields: fieldsOf(entry),
        error: new InvalidResponseError(call, status, problem, "contract"),
    }));
    return { body: checked.kept, malformed };
}

function fieldsOf(entry: unknown): MalformedEntry["fields"] {
    return typeof entry === "object" && entry !== null ? (entry as MalformedEntry["fields"]) : {};
}
