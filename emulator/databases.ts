import { sleepOn } from "./clock";
import { apiRoot } from "./contract";
import { Journal } from "./journal";
import { replicaSetDefinition, replicaSets } from "./kinds/replicaSets";
import { services, serviceView } from "./kinds/services";
import { vpcs } from "./kinds/vpcs";
import type { Settings } from "./options";
import { answer, type Surroundings } from "./pipeline";
import type { ServerCertificate } from "./postgres/start";
import type { Wire } from "./wire";
import { shownStatus } from "./world/accept";
import { connectionString, databaseName, roleName } from "./world/roles";
import { overlap } from "./world/cidr";
import type { Subject } from "./world/kind";
import type { Dated, Overridable, Progressing } from "./world/state";
import type { World } from "./world/world";

/** A service or read replica set that accepts connections. It is a configuration for `Client` and `Pool` of node-postgres. */
export interface Database {
    /** The id of the service or read replica set. */
    id: string;
    host: string;
    port: number;
    user: string;
    password: string;
    database: string;
    /** The certificate of the server. Undefined without the option `postgres`. */
    ssl: { ca: string } | undefined;
    /** The same as a URL, for psql, an environment variable or another driver. */
    connectionString: string;
}

/** Creates resources for tests. These calls are not in the journal, and no fault hits them. */
export interface Databases {
    /**
     * Creates a service and resolves when it is READY. `input` is the body of `createService`. Default: a service with the name
     * `database` and the default size.
     */
    createService: (input?: Partial<Wire["ServiceCreateInput"]>) => Promise<Database>;
    /**
     * Creates a fork of a service, given by its id or as returned by `createService`, and resolves when it is READY. `input` is
     * the body of `forkService`. Default: a fork with the current data.
     */
    fork: (parent: string | Database, input?: Partial<Wire["ForkServiceInput"]>) => Promise<Database>;
    /**
     * Creates a read replica set of a service and resolves when it is active. `input` is the body of `createReplicaSet`.
     * Default: one node of the smallest size with the name `replicas`.
     */
    createReadReplicaSet: (
        parent: string | Database,
        input?: Partial<Wire["ReplicaSetCreateInput"]>,
    ) => Promise<Database>;
    /** Creates a VPC. `input` is the body of `createVpc`. Default: the name `network` and an unused block in the first region. */
    createVpc: (input?: Partial<Wire["VpcCreateInput"]>) => Promise<Wire["Vpc"]>;
    /** Creates a peering of a VPC, given by its id or as returned by `createVpc`. `input` is the body of `createPeering`. */
    createPeering: (
        vpc: string | Pick<Wire["Vpc"], "id">,
        input?: Partial<Wire["PeeringCreateInput"]>,
    ) => Promise<Wire["Peering"]>;
    /**
     * Resolves when a resource, given by its id or as returned by another call, has this status.
     * Fails if it is deleted, or if it has failed, or has no change in progress for `limitMs`, and another status is awaited.
     */
    waitFor: (resource: string | { id: string }, status: string, options?: WaitOptions) => Promise<void>;
}

/** How long `waitFor` waits. */
export interface WaitOptions {
    /** The time on the emulator's clock, in milliseconds, without a change in progress after which it fails. Default: 5 minutes. */
    limitMs?: number;
}

export interface DatabasesOptions extends Pick<Settings, "clock" | "token" | "projectId"> {
    certificate: ServerCertificate | undefined;
    /** Whether the emulator is still running. */
    isOpen: () => boolean;
}

/** A record, with a failure if it has failed. */
type Changing = Dated &
    Pick<Progressing<object>, "status" | "steps"> &
    Partial<Overridable & { values: { errorMessage?: string } }>;

const pollMs = 10;
const defaultLimitMs = 300_000;
/** Statuses that do not recover by themselves. */
const failed = /^(UNSTABLE|error|failed)$/;

export function createDatabases(around: Surroundings, options: DatabasesOptions): Databases {
    const { certificate, clock, isOpen, projectId, token } = options;
    const { world } = around;
    const unseen: Surroundings = {
        ...around,
        journal: new Journal(),
        log: () => undefined,
        intercept: (_, carryOut) => carryOut(),
    };
    const pause = (): Promise<void> => {
        if (!isOpen()) {
            throw new Error("The emulator was closed before the database was ready.");
        }
        return sleepOn(clock, pollMs, true);
    };
    /** Whether the service rejects requests only until its current change, or its first backup, is complete. */
    const isBusy = (id: string): boolean => {
        const service = world.records(services).get(id);
        return service !== undefined && (service.steps.length > 0 || service.backupAt > world.now);
    };
    const post = async <Body>(path: string, body: unknown, parentId = ""): Promise<Body> => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const request = { method: "POST", path: `${apiRoot}/projects/${projectId}${path}`, headers };
        while (isBusy(parentId)) {
            await pause();
            world.catchUp();
        }
        const response = await answer(unseen, { ...request, body: JSON.stringify(body) });
        unseen.journal.clear();
        if (response.status >= 300) {
            throw new Error((JSON.parse(response.body) as Wire["Error"]).message);
        }
        return JSON.parse(response.body) as Body;
    };
    const ready = async <R extends Dated>(
        recordOf: () => R | undefined,
        goal: string,
        { limitMs = defaultLimitMs }: WaitOptions = {},
    ): Promise<R> => {
        for (let changedAt = world.now; ;) {
            world.catchUp();
            const record = recordOf();
            if (!record) {
                throw new Error(`There is no such resource, or it was deleted before it was ${goal}.`);
            }
            const changing: Changing = { status: "", steps: [], ...record };
            const status = shownStatus(changing);
            if (status === goal && record.visibleAt <= world.now) {
                return record;
            }
            if (failed.test(status)) {
                const reason = changing.override?.reason ?? changing.values?.errorMessage;
                throw new Error(`${record.id} is ${status}: ${reason ?? "the reason is not known"}.`);
            }
            if (changing.steps.length > 0 || changing.override?.until || record.visibleAt > world.now) {
                changedAt = world.now;
            } else if (world.now - changedAt >= limitMs) {
                const rested = `${record.id} has been ${status} for ${limitMs / 1_000} s without a change in progress`;
                throw new Error(`${rested}, and ${goal} was awaited.`);
            }
            await pause();
        }
    };
    const databaseOf = (id: string, endpoint: Wire["Endpoint"] = {}, password: string): Database => {
        const { host = "", port = 0 } = endpoint;
        return {
            id,
            host,
            port,
            user: roleName,
            password,
            database: databaseName,
            ssl: certificate && { ca: certificate.pem },
            connectionString: connectionString({ host, port }, password, certificate?.file),
        };
    };
    const serviceFrom = async (path: string, input: object, parentId?: string): Promise<Database> => {
        const made = await post<Wire["Service"]>(path, input, parentId);
        const { service_id: id, initial_password: password = "" } = made;
        const service = await ready(() => world.records(services).get(id), "READY");
        return databaseOf(id, serviceView(service, world).endpoint, password);
    };
    return {
        createService: (input) => serviceFrom("/services", { name: "database", ...input }),
        fork: (parent, input) =>
            serviceFrom(`/services/${idOf(parent)}/forkService`, { fork_strategy: "NOW", ...input }, idOf(parent)),
        createReadReplicaSet: async (parent, input) => {
            const serviceId = idOf(parent);
            const password = typeof parent === "string" ? world.initialPasswords.get(parent) : parent.password;
            const smallest = { name: "replicas", nodes: 1, cpu_millis: 500, memory_gbs: 2 };
            const path = `/services/${serviceId}/replicaSets`;
            const { id } = await post<Wire["ReadReplicaSet"]>(path, { ...smallest, ...input }, serviceId);
            const set = await ready(() => world.records(replicaSets).get(id), "active");
            return databaseOf(id, replicaSetDefinition.view(set, world).endpoint, password ?? "");
        },
        createVpc: (input) =>
            post("/vpcs", {
                name: "network",
                cidr: unusedBlock(world),
                region_code: world.rules.regions[0],
                ...input,
            }),
        createPeering: (vpc, input) =>
            post(`/vpcs/${idOf(vpc)}/peerings`, {
                peer_account_id: "123456789012",
                peer_region_code: world.rules.regions[0],
                peer_vpc_id: "vpc-0a1b2c3d",
                ...input,
            }),
        waitFor: async (resource, status, options) => {
            const id = idOf(resource);
            const hasStatus = ({ record }: Subject): boolean => record.id === id && "status" in record;
            await ready(() => world.all().find(hasStatus)?.record, status, options);
        },
    };
}

const idOf = (resource: string | { id: string }): string => (typeof resource === "string" ? resource : resource.id);

/** A block of private addresses that overlaps no VPC. */
function unusedBlock(world: World): string {
    const blocks = Array.from({ length: 256 }, (_, index) => `10.${index}.0.0/16`);
    return (
        blocks.find((block) => ![...world.records(vpcs).values()].some(({ cidr }) => overlap(block, cidr))) ??
        "172.16.0.0/16"
    );
}
