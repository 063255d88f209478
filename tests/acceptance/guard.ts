import type { OperationId } from "../../provider/api/contract";
import { callOf, type Exchange } from "./contract";

/** What one run may create. */
export interface Limits {
    /** The number of services that exist at the same time, with forks. */
    readonly services: number;
    /** The largest CPU size, in millicores. */
    readonly cpuMillis: number;
    /** The number of replicas of a service, and of nodes of a read replica set. */
    readonly replicas: number;
}

/** A request to the API, before it is sent. */
export type Request = Pick<Exchange, "method" | "path" | "requestBody">;

/** Receives the response to a permitted request; undefined if there is none. */
export type Settle = (response: Pick<Exchange, "status" | "responseBody"> | undefined) => void;

type Body = Readonly<Record<string, unknown>>;

/** The operations that create a resource, with the field of its id. */
const creations: Partial<Record<OperationId, "id" | "service_id">> = {
    createService: "service_id",
    forkService: "service_id",
    createVpc: "id",
    createPeering: "id",
    createReplicaSet: "id",
};

const ok = (status: number) => status >= 200 && status < 300;
const quoted = (value: unknown) => JSON.stringify(value);

/**
 * Permits only changes that the suite may make: to resources that the API has created for this run, in this project,
 * with a name that begins with the prefix of this run, and within the limits. A resource belongs to the run if the API
 * has returned its id in the response to a creation of this run. A name is not sufficient.
 */
export class Guard {
    /** The ids of the resources of this run, and those of its services that exist or are being created. */
    private readonly own = new Set<string>();
    private readonly services = new Set<string | symbol>();

    constructor(
        private readonly run: { readonly projectId: string; readonly prefix: string },
        private readonly limits: Limits,
    ) {}

    /** Permits a request, or throws an error with the reason. */
    admit(request: Request): Settle {
        if (request.method === "GET") {
            return () => undefined;
        }
        const call = callOf(request);
        if (call === undefined) {
            throw new Error(`${request.method} ${request.path} is not in the contract.`);
        }
        const { operation, ids } = call;
        const body = (request.requestBody ?? {}) as Body;
        const { project_id: project, ...resources } = ids;
        if (project !== this.run.projectId) {
            throw new Error(`${operation}: ${quoted(project)} is not the project of this run.`);
        }
        const foreign = [...Object.values(resources), body.vpc_id ?? []].flat().find((id) => !this.isOwn(id));
        if (foreign !== undefined) {
            throw new Error(`${operation}: ${quoted(foreign)} was not created by this run.`);
        }
        const created = creations[operation];
        this.checkName(operation, body.name, created !== undefined && operation !== "createPeering");
        this.checkSizes(operation, body);
        const place = Symbol(operation);
        if (created === "service_id") {
            if (this.services.size >= this.limits.services) {
                throw new Error(`${operation}: the run may have at most ${this.limits.services} services.`);
            }
            this.services.add(place);
        }
        return (response) => {
            this.services.delete(place);
            if (response === undefined || !ok(response.status)) {
                return;
            }
            if (created !== undefined) {
                const { [created]: id } = (response.responseBody ?? {}) as Readonly<Record<string, unknown>>;
                if (typeof id !== "string" && typeof id !== "number") {
                    throw new Error(`${operation}: the response has no ${created}.`);
                }
                this.own.add(String(id));
                if (created === "service_id") {
                    this.services.add(String(id));
                }
            } else if (operation === "deleteService") {
                this.services.delete(resources.service_id ?? "");
            }
        };
    }

    /** Whether the API has created the resource with this id for this run. */
    isOwn(id: unknown): boolean {
        return typeof id === "string" && this.own.has(id);
    }

    /** A fork without a name gets the name of its parent with a suffix. */
    private checkName(operation: OperationId, name: unknown, isCreation: boolean): void {
        const required = isCreation && operation !== "forkService";
        const isOfRun = typeof name === "string" && name.startsWith(this.run.prefix);
        if (name === undefined ? required : !isOfRun) {
            throw new Error(`${operation}: the name ${quoted(name)} does not begin with ${this.run.prefix}.`);
        }
    }

    private checkSizes(operation: OperationId, body: Body): void {
        const { cpu_millis: cpu = 0, nodes = 0, replica_count: replicas = 0, sync_replica_count: sync = 0 } = body;
        if (cpu !== "shared" && !(Number(cpu) <= this.limits.cpuMillis)) {
            throw new Error(`${operation}: cpu_millis ${quoted(cpu)} is over the limit ${this.limits.cpuMillis}.`);
        }
        const most = [nodes, replicas, sync].find((count) => !(Number(count) <= this.limits.replicas));
        if (most !== undefined) {
            throw new Error(
                `${operation}: ${quoted(most)} replicas or nodes are over the limit ${this.limits.replicas}.`,
            );
        }
    }
}
