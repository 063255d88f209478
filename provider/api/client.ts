import type { AxiosAdapter } from "axios";
import { attempt, type AttemptOptions, withRetries, type RetryOptions, RateLimiter } from "./retry";
import { systemClock, type Clock, type Deadline, ServerClock, systemRandom } from "./clock";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from "./contract";
import { InvalidResponseError } from "./callErrors";
import { Http, type HttpResponse } from "./http";
import { operations, deprecatedAliases } from "./operations.gen";
import { longestListLagMs, type Settings } from "./settings";
import { type Message, typeNameOf } from "../base/message";

/** The warnings of a client, and replacements for the clock, the random source and the network, for tests. */
export interface ClientParts {
    readonly warn?: (message: Message) => void;
    readonly clock?: Clock;
    readonly random?: () => number;
    readonly adapter?: AxiosAdapter;
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
     * Called with each malformed entry of a list, which the result leaves out, and with the error for a caller that needs the
     * entry. The call fails if this throws.
     */
    readonly onMalformed?: ((entry: object, error: InvalidResponseError) => void) | undefined;
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
    private readonly limiter: RateLimiter;
    private readonly random: () => number;
    /** The malformed entries of lists that the user knows of. */
    private readonly leftOut = new Set<string>();

    constructor(
        settings: Settings,
        private readonly parts: ClientParts = {},
    ) {
        this.clock = parts.clock ?? systemClock;
        this.baseUrl = settings.baseUrl;
        this.listLagMs = settings.listLagMs ?? longestListLagMs;
        this.serverClock = new ServerClock(this.clock);
        this.random = parts.random ?? systemRandom;
        this.limiter = new RateLimiter(this.clock);
        this.http = new Http(settings, parts.adapter, this.serverClock);
    }

    /** The setting or the input that contains this project, for messages. */
    projectSetting(projectId: string): string {
        return this.http.projectSetting(projectId);
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
        const shape = "answer" in operation ? operation.answer : undefined;
        const contradiction = (answer: unknown) =>
            otherObject(operation.path, parameters, answer) ?? options.contradiction?.(answer);
        const onMalformed = (entry: unknown, error: InvalidResponseError) => {
            this.warnOnce(`${error.path} ${JSON.stringify(entry)}`, error);
            options.onMalformed?.(Object(entry) as object, error);
        };
        const send = async () => {
            const response = await this.http.send(request, { deadlineAt, signal });
            const answer = shape === undefined ? response.body : verified(response, shape, contradiction, onMalformed);
            this.http.recordValidResponse();
            return answer;
        };
        const { clock, limiter, random } = this;
        const answer = await withRetries({ ...options, clock, random, deadlineAt }, (last) =>
            attempt({ ...options, operation: id, clock, limiter, deadlineAt }, last, send),
        );
        return withoutDeprecatedAliases(answer) as AnswerOf<Id>;
    }

    /** Warns of a malformed entry, which each poll of its list contains again. */
    private warnOnce(entry: string, { parts }: InvalidResponseError): void {
        if (!this.leftOut.has(entry)) {
            this.leftOut.add(entry);
            this.parts.warn?.({ ...parts, what: `A malformed entry of a list was left out: ${parts.what}` });
        }
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

/** The answer in a response. Fails if it does not match the contract, or contradicts the request. */
function verified(
    { body, call, status }: HttpResponse,
    shape: Shape,
    contradiction: NonNullable<CallOptions["contradiction"]>,
    onMalformed: (entry: unknown, error: InvalidResponseError) => void,
): unknown {
    const invalid = (problem: string) => new InvalidResponseError(call, status, problem, "contract");
    const complete = withEmptyLists(body, shape);
    const { wellFormed, problem } = verify(complete, shape, (entry, text) => onMalformed(entry, invalid(text)));
    const reason = problem ?? contradiction(wellFormed);
    if (reason !== undefined) {
        throw invalid(reason);
    }
    return wellFormed;
}

/** The shape of a response in the contract. A field whose name ends in `?` is optional. */
export type Shape = "string" | "number" | "boolean" | { readonly items: Shape } | Fields;

interface Fields {
    readonly fields: Readonly<Record<string, Shape>>;
}

/** An empty id counts as absent. */
const isId = /^(id|.+_id)$/;

/** Describes the first mismatch between a response and its shape. Ignores fields that are not in the shape. */
export function mismatch(value: unknown, shape: Shape, at = "the response"): string | undefined {
    if (typeof shape === "string") {
        return typeof value === shape ? undefined : `${at} is ${typeNameOf(value)}, not a ${shape}`;
    }
    if ("items" in shape) {
        if (!Array.isArray(value)) {
            return `${at} is ${typeNameOf(value)}, not an array`;
        }
        return value.map((item, index) => mismatch(item, shape.items, `${at}[${index}]`)).find(isProblem);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return `${at} is ${typeNameOf(value)}, not an object`;
    }
    const problems = Object.entries(shape.fields).map(([key, field]) => {
        const optional = key.endsWith("?");
        const name = optional ? key.slice(0, -1) : key;
        const found: unknown = (value as Record<string, unknown>)[name];
        if (found === undefined || found === null || (found === "" && isId.test(name))) {
            return optional ? undefined : `${at} has no field "${name}"`;
        }
        return mismatch(found, field, `${at}.${name}`);
    });
    return problems.find(isProblem);
}

/** The value with an empty list in place of each list that is null. */
export function withEmptyLists(value: unknown, shape: Shape): unknown {
    if (typeof shape === "string") {
        return value;
    }
    if ("items" in shape) {
        return Array.isArray(value)
            ? value.map((item: unknown) => withEmptyLists(item, shape.items))
            : value === null
              ? []
              : value;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return value;
    }
    const filled = Object.entries(shape.fields)
        .map(([key, field]) => [key.replace("?", ""), field] as const)
        .filter(([name]) => Object.hasOwn(value, name))
        .map(([name, field]) => [name, withEmptyLists((value as Record<string, unknown>)[name], field)]);
    return { ...value, ...Object.fromEntries(filled) };
}

/** Verifies a response. Leaves malformed entries out of a list; any other problem is that of the whole response. */
export function verify(
    value: unknown,
    shape: Shape,
    onMalformed: (entry: unknown, problem: string) => void,
): { readonly wellFormed: unknown; readonly problem?: string | undefined } {
    if (typeof shape === "string" || !("items" in shape) || !Array.isArray(value)) {
        return { wellFormed: value, problem: mismatch(value, shape) };
    }
    const entries = value.filter((entry: unknown, index) => {
        const problem = mismatch(entry, shape.items, `the response[${index}]`);
        if (problem !== undefined) {
            onMalformed(entry, problem);
        }
        return problem === undefined;
    });
    return { wellFormed: entries };
}

const isProblem = (problem: string | undefined) => problem !== undefined;

const aliases = new Map<string, string>(Object.entries(deprecatedAliases));

/** Far deeper than any response of the contract. Limits the recursion. */
const maxDepth = 100;

/** Renames fields with a deprecated name, unless the current name is also present. Callers only use current names. */
export function withoutDeprecatedAliases(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > maxDepth) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map((item) => withoutDeprecatedAliases(item, depth + 1));
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
        const alias = aliases.get(name);
        // The API may send null for an absent field.
        if (fields[name] !== null && (alias === undefined || (fields[alias] ?? null) === null)) {
            kept.push([alias ?? name, withoutDeprecatedAliases(fields[name], depth + 1)]);
        }
    }
    return Object.fromEntries(kept);
}
