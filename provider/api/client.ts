import type { AxiosAdapter } from "axios";
import { systemClock, type Clock } from "./clock";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, Schemas } from "./contract";
import { InvalidResponseError } from "./errors";
import { Http, type HttpRequest } from "./http";
import { Limiter } from "./limiter";
import { operations } from "./operations.gen";
import { systemRandom } from "./random";
import { withRetries, type Retry } from "./retry";
import { ServerClock, type Period } from "./serverClock";
import type { Credentials, Settings } from "./settings";
import { mismatch, sift, withEmptyLists, type Shape } from "./shape";
import { withoutDeprecatedAliases } from "./deprecatedAliases";

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

/** The options of one call. */
export interface CallOptions {
    /** Aborts the call, also during the pause before a retry. */
    readonly signal?: AbortSignal | undefined;
    /**
     * When the call times out, on the clock of the client. Until then, transient failures are retried. A create request in
     * flight may return its response a few seconds later.
     * @default a minute after the call begins, which is enough for a restart of the API
     */
    readonly deadlineAt?: number | undefined;
    /** Called for each failure that is retried, before the pause. The call fails at once if it returns false. */
    readonly onRetry?: ((retry: Retry) => unknown) | undefined;
    /** Called for each attempt that takes long, with what the call waits for. */
    readonly onSlow?: ((waitsFor: string) => void) | undefined;
    /**
     * Receives the malformed entries of a list, which the result omits. Without this option, such an entry fails the
     * call.
     */
    readonly onMalformed?: ((entry: MalformedEntry) => void) | undefined;
    /**
     * Describes why a response that matches the contract is not the response to this request, which was in flight in this
     * period. Such a response counts as missing.
     */
    readonly contradiction?: ((response: unknown, inFlight: Period | undefined) => string | undefined) | undefined;
}

/** The default of `deadlineAt`. */
const defaultTimeoutMs = 60_000;

/** The time limit of a preview for each of its reads, with all retries. A preview must not hang. */
export const previewReadMs = 5_000;

/** The options of a call with the default time limit. */
export const readOptions: CallOptions = {};

/** The parameters of a call. */
export interface CallArguments<Id extends OperationId> {
    readonly path: PathOf<Id>;
    readonly query?: QueryOf<Id> | undefined;
    readonly body?: BodyOf<Id> | undefined;
}

type Input<Name extends keyof Schemas> = Schemas[Name];

/**
 * The management API, with one method per operation. A call fails with an `ApiError`, a `ConnectionError` or an
 * `InvalidResponseError`.
 */
export class Client {
    /** The base URL of the API, and how the client authenticates. */
    readonly baseUrl: string;
    readonly authentication: Credentials["kind"];
    /** The clock of the API, from its responses. */
    readonly serverClock: ServerClock;
    private readonly http: Http;
    private readonly clock: Clock;
    private readonly limiter: Limiter;
    private readonly random: () => number;

    constructor(settings: Settings, parts: ClientParts = {}) {
        this.clock = parts.clock ?? systemClock;
        this.baseUrl = settings.baseUrl;
        this.authentication = settings.credentials.kind;
        this.serverClock = new ServerClock(this.clock);
        this.random = parts.random ?? systemRandom;
        this.limiter = new Limiter(this.clock);
        this.http = new Http(settings, parts.adapter, undefined, this.serverClock);
    }

    /** Calls an operation by its id. The methods below have one operation each. */
    async call<Id extends OperationId>(
        id: Id,
        { path, query, body }: CallArguments<Id>,
        options: CallOptions,
    ): Promise<AnswerOf<Id>> {
        const operation = operations[id];
        const { deadlineAt = this.clock.now() + defaultTimeoutMs } = options;
        const parameters = path as Readonly<Record<string, string>> | undefined;
        const contradiction: CallOptions["contradiction"] = (response, inFlight) =>
            otherObject(operation.path, parameters, response) ?? options.contradiction?.(response, inFlight);
        const request = {
            operation: id,
            method: operation.method,
            path: fillIn(operation.path, parameters),
            query: query as Readonly<Record<string, unknown>> | undefined,
            body,
            signal: options.signal,
            deadlineAt,
        };
        const response = await withRetries(
            {
                operation: id,
                method: operation.method,
                clock: this.clock,
                limiter: this.limiter,
                random: this.random,
                deadlineAt,
                signal: options.signal,
                onRetry: options.onRetry,
                onSlow: options.onSlow,
            },
            () =>
                send(
                    this.http,
                    request,
                    "answer" in operation ? operation.answer : undefined,
                    options.onMalformed !== undefined,
                    contradiction,
                ),
        );
        response.malformed.forEach((entry) => options.onMalformed?.(entry));
        return withoutDeprecatedAliases(response.body) as AnswerOf<Id>;
    }

    /** The identity of the caller: `GET /auth/info`. */
    getAuthInfo(options: CallOptions) {
        return this.call("getAuthInfo", { path: undefined }, options);
    }

    /** The projects that the caller can see: `GET /projects`. */
    listProjects(options: CallOptions) {
        return this.call("listProjects", { path: undefined }, options);
    }

    /** The VPCs of a project. */
    listVpcs(projectId: string, options: CallOptions) {
        return this.call("listVpcs", { path: inProject(projectId) }, options);
    }

    /** Creates a VPC. It exists when the call returns. */
    createVpc(projectId: string, body: Input<"VpcCreateInput">, options: CallOptions) {
        return this.call("createVpc", { path: inProject(projectId), body }, options);
    }

    /** One VPC. */
    getVpc(projectId: string, vpcId: string, options: CallOptions) {
        return this.call("getVpc", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Deletes a VPC. Rejected while services are attached to it or it has peerings. */
    deleteVpc(projectId: string, vpcId: string, options: CallOptions) {
        return this.call("deleteVpc", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Renames a VPC. */
    renameVpc(projectId: string, vpcId: string, body: Input<"VpcRenameInput">, options: CallOptions) {
        return this.call("renameVpc", { path: inVpc(projectId, vpcId), body }, options);
    }

    /** The peerings of a VPC. */
    listPeerings(projectId: string, vpcId: string, options: CallOptions) {
        return this.call("listPeerings", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Starts the creation of a peering. */
    createPeering(projectId: string, vpcId: string, body: Input<"PeeringCreateInput">, options: CallOptions) {
        return this.call("createPeering", { path: inVpc(projectId, vpcId), body }, options);
    }

    /** One peering. */
    getPeering(projectId: string, vpcId: string, peeringId: string, options: CallOptions) {
        return this.call("getPeering", { path: ofPeering(projectId, vpcId, peeringId) }, options);
    }

    /** Deletes a peering. */
    deletePeering(projectId: string, vpcId: string, peeringId: string, options: CallOptions) {
        return this.call("deletePeering", { path: ofPeering(projectId, vpcId, peeringId) }, options);
    }

    /** The services of a project. The list can contain entries that represent a read replica set. */
    listServices(projectId: string, options: CallOptions) {
        return this.call("listServices", { path: inProject(projectId) }, options);
    }

    /** Starts the creation of a service. Only this response contains the initial password. */
    createService(projectId: string, body: Input<"ServiceCreateInput">, options: CallOptions) {
        return this.call("createService", { path: inProject(projectId), body }, options);
    }

    /** One service. */
    getService(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("getService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts the deletion of a service. Rejected while it has read replica sets. */
    deleteService(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("deleteService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts to resume a paused service. */
    startService(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("startService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts to pause a service. */
    stopService(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("stopService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts to attach a service to a VPC. A service in another VPC must be detached first. */
    attachToVPC(projectId: string, serviceId: string, body: Input<"ServiceVpcInput">, options: CallOptions) {
        return this.call("attachToVPC", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Starts to detach a service from a VPC. */
    detachFromVPC(projectId: string, serviceId: string, body: Input<"ServiceVpcInput">, options: CallOptions) {
        return this.call("detachFromVPC", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Starts to resize a service, which restarts it. */
    resizeService(projectId: string, serviceId: string, body: Input<"ResizeInput">, options: CallOptions) {
        return this.call("resizeService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Enables the connection pooler of a service. */
    enablePooler(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("enablePooler", { path: ofService(projectId, serviceId) }, options);
    }

    /** Disables the connection pooler of a service. */
    disablePooler(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("disablePooler", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts to fork a service. The response contains the initial password of the fork. */
    forkService(projectId: string, serviceId: string, body: Input<"ForkServiceInput">, options: CallOptions) {
        return this.call("forkService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Sets the password of the default role. */
    updatePassword(projectId: string, serviceId: string, body: Input<"UpdatePasswordInput">, options: CallOptions) {
        return this.call("updatePassword", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Sets the environment tag of a service. */
    setEnvironment(projectId: string, serviceId: string, body: Input<"SetEnvironmentInput">, options: CallOptions) {
        return this.call("setEnvironment", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Renames a service. Older versions of the API respond with 404 or 405. */
    renameService(projectId: string, serviceId: string, body: Input<"ServiceRenameInput">, options: CallOptions) {
        return this.call("renameService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** A page of the log of a service, newest first. */
    getServiceLogs(
        projectId: string,
        serviceId: string,
        query: QueryOf<"getServiceLogs"> | undefined,
        options: CallOptions,
    ) {
        return this.call("getServiceLogs", { path: ofService(projectId, serviceId), query }, options);
    }

    /** Starts to change the high availability of a service. A count that is left out stays as it is. */
    setHA(projectId: string, serviceId: string, body: Input<"SetHAInput">, options: CallOptions) {
        return this.call("setHA", { path: ofService(projectId, serviceId), body }, options);
    }

    /** The read replica sets of a service. */
    listReplicaSets(projectId: string, serviceId: string, options: CallOptions) {
        return this.call("listReplicaSets", { path: ofService(projectId, serviceId) }, options);
    }

    /** Starts the creation of a read replica set. */
    createReplicaSet(projectId: string, serviceId: string, body: Input<"ReplicaSetCreateInput">, options: CallOptions) {
        return this.call("createReplicaSet", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Starts the deletion of a read replica set. */
    deleteReplicaSet(projectId: string, serviceId: string, replicaSetId: string, options: CallOptions) {
        return this.call("deleteReplicaSet", { path: ofReplicaSet(projectId, serviceId, replicaSetId) }, options);
    }

    /** Starts to resize a read replica set, or to change its number of nodes. */
    resizeReplicaSet(
        projectId: string,
        serviceId: string,
        replicaSetId: string,
        body: Input<"ReplicaSetResizeInput">,
        options: CallOptions,
    ) {
        return this.call("resizeReplicaSet", { path: ofReplicaSet(projectId, serviceId, replicaSetId), body }, options);
    }

    /** Enables the connection pooler of a read replica set. */
    enableReplicaSetPooler(projectId: string, serviceId: string, replicaSetId: string, options: CallOptions) {
        return this.call("enableReplicaSetPooler", { path: ofReplicaSet(projectId, serviceId, replicaSetId) }, options);
    }

    /** Disables the connection pooler of a read replica set. */
    disableReplicaSetPooler(projectId: string, serviceId: string, replicaSetId: string, options: CallOptions) {
        return this.call(
            "disableReplicaSetPooler",
            { path: ofReplicaSet(projectId, serviceId, replicaSetId) },
            options,
        );
    }

    /** Sets the environment tag of a read replica set. */
    setReplicaSetEnvironment(
        projectId: string,
        serviceId: string,
        replicaSetId: string,
        body: Input<"SetEnvironmentInput">,
        options: CallOptions,
    ) {
        return this.call(
            "setReplicaSetEnvironment",
            { path: ofReplicaSet(projectId, serviceId, replicaSetId), body },
            options,
        );
    }
}

function inProject(projectId: string) {
    return { project_id: projectId };
}

function inVpc(projectId: string, vpcId: string) {
    return { project_id: projectId, vpc_id: vpcId };
}

function ofPeering(projectId: string, vpcId: string, peeringId: string) {
    return { ...inVpc(projectId, vpcId), peering_id: peeringId };
}

function ofService(projectId: string, serviceId: string) {
    return { project_id: projectId, service_id: serviceId };
}

function ofReplicaSet(projectId: string, serviceId: string, replicaSetId: string) {
    return { ...ofService(projectId, serviceId), replica_set_id: replicaSetId };
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

/** Describes why the response to a request for one object is about another one. */
function otherObject(
    template: string,
    parameters: Readonly<Record<string, string>> = {},
    response: unknown,
): string | undefined {
    const [, name = ""] = /\{(\w+)\}$/.exec(template) ?? [];
    const requested = parameters[name];
    const { [name]: found = (response as { id?: unknown }).id } = response as Readonly<Record<string, unknown>>;
    return requested === undefined || found === requested
        ? undefined
        : `it describes ${JSON.stringify(found)}, not ${JSON.stringify(requested)}`;
}

/**
 * Sends a request once. A response that does not match the contract, or that contradicts the request, is a failure. If the caller is tolerant, the
 * malformed entries of a list are returned separately.
 */
async function send(
    http: Http,
    request: HttpRequest,
    shape: Shape | undefined,
    tolerant: boolean,
    contradiction: NonNullable<CallOptions["contradiction"]>,
) {
    const { body, call, status } = await http.send(request);
    if (shape === undefined) {
        http.recordValidResponse();
        return { body, malformed: [] };
    }
    const complete = withEmptyLists(body, shape);
    const sifted = tolerant ? sift(complete, shape) : { kept: complete, malformed: [] };
    const problem = mismatch(sifted.kept, shape) ?? contradiction(sifted.kept, call.inFlight);
    if (problem !== undefined) {
        throw new InvalidResponseError(call, status, problem, "contract");
    }
    http.recordValidResponse();
    const malformed = sifted.malformed.map(({ entry, problem }) => ({
        fields: fieldsOf(entry),
        error: new InvalidResponseError(call, status, problem, "contract"),
    }));
    return { body: sifted.kept, malformed };
}

function fieldsOf(entry: unknown): MalformedEntry["fields"] {
    return typeof entry === "object" && entry !== null ? (entry as MalformedEntry["fields"]) : {};
}
