import { inspect } from "node:util";
import type { AxiosAdapter } from "axios";
import { attempt, type AttemptOptions, withRetries, type RetryOptions, RateLimiter } from "./retry";
import { systemClock, type Clock, type Deadline, ServerClock, systemRandom } from "./clock";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from "./contract";
import { InvalidResponseError } from "./callErrors";
import { Http, type HttpRequest, type HttpResponse } from "./http";
import { inForm, type Shape } from "./answer";
import { operations } from "./operations.gen";
import type { Settings } from "./settings";
import type { Message } from "../base/message";

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

/** The arguments of any call. */
interface AnyArguments extends Pick<HttpRequest, "query" | "body"> {
    readonly path?: Readonly<Record<string, string>> | undefined;
}

/** The arguments of a call, as the contract describes them. An operation without a path or a body takes none. */
type CallArguments<Id extends OperationId> = Argument<"path", PathOf<Id>> &
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
        this.listLagMs = settings.listLagMs;
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
    call<Id extends OperationId>(id: Id, args: CallArguments<Id>, options: CallOptions): Promise<AnswerOf<Id>> {
        return this.at(id, args as AnyArguments, options) as Promise<AnswerOf<Id>>;
    }

    /** Calls an operation that only a kind of resource knows, with the path and the body that it has for this kind. */
    async at(id: OperationId, { path, query, body }: AnyArguments, options: CallOptions): Promise<unknown> {
        const operation = operations[id];
        const { deadlineAt = this.clock.now() + defaultTimeoutMs, signal, isCreation } = options;
        const { method } = operation;
        const request = { operation: id, method, path: fillIn(operation.path, path), query, body, isCreation };
        const shape = "answer" in operation ? operation.answer : undefined;
        const send = async () => {
            const response = await this.http.send(request, { deadlineAt, signal });
            const answer = shape && this.answerIn(response, shape, options);
            const problem = shape && (otherObject(operation.path, path, answer) ?? options.contradiction?.(answer));
            if (problem !== undefined) {
                throw invalid(response, problem);
            }
            this.http.recordValidResponse();
            return answer;
        };
        const { clock, limiter, random } = this;
        return withRetries({ ...options, clock, random, deadlineAt }, (last) =>
            attempt({ ...options, operation: id, clock, limiter, deadlineAt }, last, send),
        );
    }

    /** The answer in a response. Fails if it does not match the contract. Reports the entries that a list leaves out. */
    private answerIn(response: HttpResponse, shape: Shape, { onMalformed }: CallOptions): unknown {
        const { value, problem, malformed } = inForm(response.body, shape);
        for (const { entry, problem: ofEntry } of malformed) {
            const error = invalid(response, ofEntry);
            // Not as JSON, whose nesting can be too deep.
            const known = `${error.path} ${inspect(entry)}`;
            // Each poll of the list contains it again.
            if (!this.leftOut.has(known)) {
                this.leftOut.add(known);
                const what = `A malformed entry of a list was left out: ${error.parts.what}`;
                this.parts.warn?.({ ...error.parts, what });
            }
            onMalformed?.(entry, error);
        }
        if (problem !== undefined) {
            throw invalid(response, problem);
        }
        return value;
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

const invalid = ({ call, status }: HttpResponse, problem: string): InvalidResponseError =>
    new InvalidResponseError(call, status, problem, "contract");
