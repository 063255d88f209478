import type { AxiosAdapter } from "axios";
import { systemClock, type Clock } from "./clock";
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, Schemas } from "./contract";
import { InvalidResponseError } from "./errors";
import { Http, type HttpRequest } from "./http";
import { Limiter } from "./limiter";
import { operations } from "./operations.gen";
import { retryBudgetFor, withRetries, type Retry } from "./retry";
import { ServerClock } from "./serverClock";
import type { Credentials, Settings } from "./settings";
import { mismatch, sift, type Shape } from "./shape";
import { withoutDeprecatedAliases } from "./deprecatedAliases";

/** What tests put in the place of the real clock, chance and network. */
export interface ClientParts {
    readonly clock?: Clock;
    readonly random?: () => number;
    readonly adapter?: AxiosAdapter;
}

/** An entry of a list that does not keep the contract. */
export interface MalformedEntry {
    /** What can be read of it: nothing where it is not an object. */
    readonly fields: Readonly<Record<string, unknown>>;
    /** What a caller that needs this entry fails with. */
    readonly error: InvalidResponseError;
}

/** How one call behaves. */
export interface CallOptions {
    /** Ends the call, also while it waits to be sent again. */
    readonly signal?: AbortSignal | undefined;
    /** How long failures that may pass are tried again, in milliseconds. */
    readonly retryBudgetMs?: number | undefined;
    /** Hears of each failure that is tried again, before the pause. */
    readonly onRetry?: ((retry: Retry) => void) | undefined;
    /** Receives the malformed entries of a list, which the result leaves out; without it one such entry fails the call. */
    readonly onMalformed?: ((entry: MalformedEntry) => void) | undefined;
}

/** Everything of a call that is not its options. */
export interface CallArguments<Id extends OperationId> {
    readonly path: PathOf<Id>;
    readonly query?: QueryOf<Id> | undefined;
    readonly body?: BodyOf<Id> | undefined;
}

type Input<Name extends keyof Schemas> = Schemas[Name];

/** The management API: one method an operation. Every failure is an `ApiError`, a `ConnectionError` or an `InvalidResponseError`. */
export class Client {
    /** Where the API is, and how its callers authenticate. */
    readonly baseUrl: string;
    readonly authentication: Credentials["kind"];
    /** The API's clock, as its responses show it. */
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
        this.random = parts.random ?? Math.random;
        this.limiter = new Limiter(this.clock);
        this.http = new Http(settings, parts.adapter, undefined, this.serverClock);
    }

    /** Calls any operation by its id; the methods below are this with names. */
    async call<Id extends OperationId>(
        id: Id,
        { path, query, body }: CallArguments<Id>,
        options: CallOptions = {},
    ): Promise<AnswerOf<Id>> {
        const operation = operations[id];
        const request = {
            operation: id,
            method: operation.method,
            path: fillIn(operation.path, path as Readonly<Record<string, string>> | undefined),
            query: query as Readonly<Record<string, unknown>> | undefined,
            body,
            signal: options.signal,
        };
        const answer = await withRetries(
            {
                method: operation.method,
                clock: this.clock,
                limiter: this.limiter,
                random: this.random,
                budget: (error) => retryBudgetFor(error, options.retryBudgetMs),
                signal: options.signal,
                onRetry: options.onRetry,
            },
            () =>
                send(
                    this.http,
                    request,
                    "answer" in operation ? operation.answer : undefined,
                    options.onMalformed !== undefined,
                ),
        );
        answer.malformed.forEach((entry) => options.onMalformed?.(entry));
        return withoutDeprecatedAliases(answer.body) as AnswerOf<Id>;
    }

    /** Who is calling: `GET /auth/info`. */
    getAuthInfo(options?: CallOptions) {
        return this.call("getAuthInfo", { path: undefined }, options);
    }

    /** The projects that the caller can see: `GET /projects`. */
    listProjects(options?: CallOptions) {
        return this.call("listProjects", { path: undefined }, options);
    }

    /** The VPCs of a project. */
    listVpcs(projectId: string, options?: CallOptions) {
        return this.call("listVpcs", { path: inProject(projectId) }, options);
    }

    /** Makes a VPC; it is there when the call returns. */
    createVpc(projectId: string, body: Input<"VpcCreateInput">, options?: CallOptions) {
        return this.call("createVpc", { path: inProject(projectId), body }, options);
    }

    /** One VPC. */
    getVpc(projectId: string, vpcId: string, options?: CallOptions) {
        return this.call("getVpc", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Deletes a VPC; refused while services are attached to it or peerings are in it. */
    deleteVpc(projectId: string, vpcId: string, options?: CallOptions) {
        return this.call("deleteVpc", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Gives a VPC another name. */
    renameVpc(projectId: string, vpcId: string, body: Input<"VpcRenameInput">, options?: CallOptions) {
        return this.call("renameVpc", { path: inVpc(projectId, vpcId), body }, options);
    }

    /** The peerings of a VPC. */
    listPeerings(projectId: string, vpcId: string, options?: CallOptions) {
        return this.call("listPeerings", { path: inVpc(projectId, vpcId) }, options);
    }

    /** Begins a peering; it becomes active later. */
    createPeering(projectId: string, vpcId: string, body: Input<"PeeringCreateInput">, options?: CallOptions) {
        return this.call("createPeering", { path: inVpc(projectId, vpcId), body }, options);
    }

    /** One peering. */
    getPeering(projectId: string, vpcId: string, peeringId: string, options?: CallOptions) {
        return this.call("getPeering", { path: ofPeering(projectId, vpcId, peeringId) }, options);
    }

    /** Deletes a peering. */
    deletePeering(projectId: string, vpcId: string, peeringId: string, options?: CallOptions) {
        return this.call("deletePeering", { path: ofPeering(projectId, vpcId, peeringId) }, options);
    }

    /** The services of a project, perhaps with entries that stand for a replica set. */
    listServices(projectId: string, options?: CallOptions) {
        return this.call("listServices", { path: inProject(projectId) }, options);
    }

    /** Begins to make a service; the one answer that carries its initial password. */
    createService(projectId: string, body: Input<"ServiceCreateInput">, options?: CallOptions) {
        return this.call("createService", { path: inProject(projectId), body }, options);
    }

    /** One service. */
    getService(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("getService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to delete a service; refused while it has replica sets. */
    deleteService(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("deleteService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to resume a paused service. */
    startService(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("startService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to pause a service. */
    stopService(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("stopService", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to attach a service to a VPC; one that is in another VPC has to be detached first. */
    attachToVPC(projectId: string, serviceId: string, body: Input<"ServiceVpcInput">, options?: CallOptions) {
        return this.call("attachToVPC", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Begins to detach a service from a VPC. */
    detachFromVPC(projectId: string, serviceId: string, body: Input<"ServiceVpcInput">, options?: CallOptions) {
        return this.call("detachFromVPC", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Begins to give a service another size; it restarts. */
    resizeService(projectId: string, serviceId: string, body: Input<"ResizeInput">, options?: CallOptions) {
        return this.call("resizeService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Gives a service a connection pooler. */
    enablePooler(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("enablePooler", { path: ofService(projectId, serviceId) }, options);
    }

    /** Takes the connection pooler of a service away. */
    disablePooler(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("disablePooler", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to make a service from the data of another; the answer carries its initial password. */
    forkService(projectId: string, serviceId: string, body: Input<"ForkServiceInput">, options?: CallOptions) {
        return this.call("forkService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Sets the password of the default role. */
    updatePassword(projectId: string, serviceId: string, body: Input<"UpdatePasswordInput">, options?: CallOptions) {
        return this.call("updatePassword", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Sets the environment tag of a service. */
    setEnvironment(projectId: string, serviceId: string, body: Input<"SetEnvironmentInput">, options?: CallOptions) {
        return this.call("setEnvironment", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Renames a service. An API of an older version answers 404 or 405. */
    renameService(projectId: string, serviceId: string, body: Input<"ServiceRenameInput">, options?: CallOptions) {
        return this.call("renameService", { path: ofService(projectId, serviceId), body }, options);
    }

    /** A page of the log of a service, newest first. */
    getServiceLogs(projectId: string, serviceId: string, query?: QueryOf<"getServiceLogs">, options?: CallOptions) {
        return this.call("getServiceLogs", { path: ofService(projectId, serviceId), query }, options);
    }

    /** Begins to change the high availability of a service; a count that is left out stays as it is. */
    setHA(projectId: string, serviceId: string, body: Input<"SetHAInput">, options?: CallOptions) {
        return this.call("setHA", { path: ofService(projectId, serviceId), body }, options);
    }

    /** The read replica sets of a service. */
    listReplicaSets(projectId: string, serviceId: string, options?: CallOptions) {
        return this.call("listReplicaSets", { path: ofService(projectId, serviceId) }, options);
    }

    /** Begins to make a read replica set. */
    createReplicaSet(
        projectId: string,
        serviceId: string,
        body: Input<"ReplicaSetCreateInput">,
        options?: CallOptions,
    ) {
        return this.call("createReplicaSet", { path: ofService(projectId, serviceId), body }, options);
    }

    /** Begins to delete a read replica set. */
    deleteReplicaSet(projectId: string, serviceId: string, replicaSetId: string, options?: CallOptions) {
        return this.call("deleteReplicaSet", { path: ofReplicaSet(projectId, serviceId, replicaSetId) }, options);
    }

    /** Begins to give a read replica set another size or number of nodes. */
    resizeReplicaSet(
        projectId: string,
        serviceId: string,
        replicaSetId: string,
        body: Input<"ReplicaSetResizeInput">,
        options?: CallOptions,
    ) {
        return this.call("resizeReplicaSet", { path: ofReplicaSet(projectId, serviceId, replicaSetId), body }, options);
    }

    /** Gives a read replica set a connection pooler. */
    enableReplicaSetPooler(projectId: string, serviceId: string, replicaSetId: string, options?: CallOptions) {
        return this.call("enableReplicaSetPooler", { path: ofReplicaSet(projectId, serviceId, replicaSetId) }, options);
    }

    /** Takes the connection pooler of a read replica set away. */
    disableReplicaSetPooler(projectId: string, serviceId: string, replicaSetId: string, options?: CallOptions) {
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
        options?: CallOptions,
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

/** Ids are encoded, so that none can reach outside its place in the path. */
export function fillIn(template: string, parameters: Readonly<Record<string, string>> = {}): string {
    return template.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = parameters[name] ?? "";
        if (value === "" || value === "." || value === "..") {
            throw new RangeError(`${JSON.stringify(value)} cannot be the ${name} of ${template}.`);
        }
        return encodeURIComponent(value);
    });
}

/**
 * Sends a request once; an answer without what the contract promises is a failure like any other. A tolerant caller of a
 * list gets the entries that keep the contract, and the others beside them.
 */
async function send(http: Http, request: HttpRequest, shape: Shape | undefined, tolerant: boolean) {
    const { body, call, status } = await http.send(request);
    if (shape === undefined) {
        http.noteUsable();
        return { body, malformed: [] };
    }
    const { kept, odd } = tolerant ? sift(body, shape) : { kept: body, odd: [] };
    const problem = mismatch(kept, shape);
    if (problem !== undefined) {
        throw new InvalidResponseError(call, status, problem, "contract");
    }
    http.noteUsable();
    const malformed = odd.map(({ entry, problem }) => ({
        fields: fieldsOf(entry),
        error: new InvalidResponseError(call, status, problem, "contract"),
    }));
    return { body: kept, malformed };
}

function fieldsOf(entry: unknown): MalformedEntry["fields"] {
    return typeof entry === "object" && entry !== null ? (entry as MalformedEntry["fields"]) : {};
}
