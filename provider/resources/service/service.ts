import { randomBytes } from "node:crypto";
import type { AnswerOf, Service } from "../../api/contract";
import type { Path, Replacement, Resource } from "../contract";
import { hasUnknown, type Planned } from "../unknown";
import { show } from "../fields";
import { orGone } from "../look";
import { formatSize, wireSize } from "../size";
import { about } from "../activity";
import type { Run } from "../run";
import { inTurn, insist, patience } from "../send";
import { examine, fields, type Fork, type ServiceInputs } from "./inputs";
import { atRest, leaving, observe, sourceOfServices, type ServiceObserved } from "./observed";
import { plan, typeFits, type ServiceState } from "./plan";

const minute = 60_000;
/** Every service has this role and this database. */
const [role, database] = ["tsdbadmin", "tsdb"];

/** The service resource. */
export const service: Resource<ServiceInputs, ServiceObserved, Service> = {
    type: "Service",
    noun: "service",
    fields,
    keeps: ["initialPassword", "__passwordLost"],
    examine,
    identity: ({ projectId, name }) => [projectId, name],
    times: (inputs) => ({
        // A fork copies the data of its parent, which takes hours for a large one.
        create: inputs?.fork === undefined ? 60 * minute : 12 * 60 * minute,
        update: 60 * minute,
        delete: 30 * minute,
        usual: inputs?.fork === undefined ? 10 * minute : 2 * 60 * minute,
    }),

    pathOf: (projectId, id) => ({ project_id: projectId, service_id: id }),
    idOf: (item) => item.service_id,
    adoptedId: (existingId) => existingId,
    nameOf: ({ name }) => (typeof name === "string" ? name : undefined),
    source: sourceOfServices,

    observe,
    derive: (state: ServiceState & { initialPassword?: string }) => ({ connectionString: connectionString(state) }),
    settled: atRest,
    turn: ({ service_id: serviceId = "" }) => ({ serviceId, lasts: "done" }),
    leaving,

    plan,
    birth,
    home: (projectId) => ({ project_id: projectId }),
    sameAs: (item, { name }) => item.name === name,
    make: async (inputs, { project_id: projectId }, run) => {
        const { fork } = inputs;
        const item = fork
            ? await forked(inputs, fork, projectId, run)
            : await run.client.createService(projectId, createBody(inputs), patience(run));
        const operation = fork ? "forkService" : "createService";
        const { initial_password: initialPassword } = item;
        return { item, operation, remembers: initialPassword ? { initialPassword } : unheard() };
    },
    unheard,
    unfit,
    remove: async ({ project_id: projectId, service_id: serviceId = "" }, run) => {
        await orGone(run.client.deleteService(projectId, serviceId, patience(run)));
    },
    protectedBy: (state: ServiceState) =>
        state.deletionProtection === true
            ? `Service ${show(state.name)} has deletionProtection: set it to false, run \`pulumi up\`, and delete it then.`
            : undefined,
    irreplaceable,
};

function forked(inputs: ServiceInputs, fork: Fork, projectId: string, run: Run): Promise<AnswerOf<"forkService">> {
    const subject = `Service ${show(inputs.name)}`;
    const activity = about("forkService", `forking ${fork.serviceId}`);
    const send = () => run.client.forkService(projectId, fork.serviceId, forkBody(inputs, fork), patience(run));
    return insist(() => inTurn(fork.serviceId, send, subject, run, activity), subject, run, activity);
}

/** Another password stands for the one that was never heard, until a declared one or this one is set. */
function unheard() {
    return { initialPassword: newPassword(), __passwordLost: true };
}

const passwordBytes = 18;

/** Hard to guess and easy to put anywhere. */
function newPassword(): string {
    return randomBytes(passwordBytes).toString("base64url");
}

function createBody(inputs: ServiceInputs) {
    const { name = "", addons, regionCode, replicaCount } = inputs;
    return {
        name,
        ...sizesAndEnvironment(inputs),
        ...(addons === undefined ? {} : { addons }),
        ...(regionCode === undefined ? {} : { region_code: regionCode }),
        ...(replicaCount === undefined ? {} : { replica_count: replicaCount }),
    };
}

function forkBody(inputs: ServiceInputs, { strategy, targetTime }: NonNullable<ServiceInputs["fork"]>) {
    const { name = "" } = inputs;
    return {
        name,
        ...sizesAndEnvironment(inputs),
        fork_strategy: strategy,
        ...(targetTime === undefined ? {} : { target_time: targetTime }),
    };
}

function sizesAndEnvironment({ cpuMillis, memoryGbs, environment }: ServiceInputs) {
    return {
        ...(cpuMillis === undefined ? {} : { cpu_millis: wireSize(cpuMillis) }),
        ...(memoryGbs === undefined ? {} : { memory_gbs: wireSize(memoryGbs) }),
        environment_tag: environment ?? "DEV",
    } as const;
}

/** The call that makes the service takes some of the inputs; the rest follows as a plan. */
function birth(declared: Planned<ServiceInputs>) {
    const { name, regionCode, cpuMillis, memoryGbs, replicaCount = 0, environment = "DEV", fork, addons } = declared;
    const replicas = fork === undefined ? replicaCount : 0;
    const parts = [
        cpuMillis === undefined && memoryGbs === undefined ? undefined : formatSize(cpuMillis, memoryGbs),
        replicas === 0 ? undefined : `${show(replicas)} HA ${replicas === 1 ? "replica" : "replicas"}`,
        typeof environment === "string" ? environment : show(environment),
        Array.isArray(addons) && addons.length > 0 ? addons.join(" and ") : undefined,
        regionCode === undefined ? undefined : `in ${show(regionCode)}`,
    ];
    const verb = fork === undefined ? "create service" : `fork ${describeFork(fork)} as service`;
    return {
        text: `${verb} ${show(name)}: ${parts.filter((part) => part !== undefined).join(", ")}`,
        observed: {
            name,
            regionCode,
            cpuMillis,
            memoryGbs,
            replicaCount: replicas,
            syncReplicaCount: 0,
            environment,
            connectionPooler: false,
            paused: false,
        } as Partial<ServiceObserved>,
    };
}

function describeFork(fork: Planned<ServiceInputs>["fork"]): string {
    if (typeof fork !== "object") {
        return "(known after apply)";
    }
    const point = fork.targetTime === undefined ? fork.strategy : `${fork.strategy} ${show(fork.targetTime)}`;
    return `${show(fork.serviceId)} (${typeof point === "string" ? point : show(point)})`;
}

function unfit(item: Service, _path: Path, { name, regionCode, addons, fork }: ServiceInputs): string | undefined {
    if (item.forked_from?.is_standby) {
        return "it is a read replica set, not a service";
    }
    if (name !== undefined && name !== item.name) {
        return `its name is ${show(item.name)}, the program declares ${show(name)}, and a service cannot be renamed`;
    }
    if (regionCode !== undefined && regionCode !== item.region_code) {
        return `it is in ${item.region_code}, and the program declares ${regionCode}`;
    }
    if (addons !== undefined && !typeFits(item.service_type, addons)) {
        return `its type is ${item.service_type}, which does not go with addons ${show(addons)}`;
    }
    return fork !== undefined && item.forked_from?.service_id !== fork.serviceId
        ? `it is not a fork of ${fork.serviceId}, as the program declares`
        : undefined;
}

function irreplaceable(
    state: ServiceState,
    { allowReplace }: Planned<ServiceInputs>,
    replace: readonly Replacement[],
): string | undefined {
    const certain = replace.filter(({ to }) => !hasUnknown(to));
    if (certain.length === 0) {
        return undefined;
    }
    const changes = certain.map(({ property, from, to }) => `${property} ${show(from)} -> ${show(to)}`).join(", ");
    const what = `Service ${show(state.name)} would be replaced by a new, empty one (${changes}), and its data would be lost.`;
    if (allowReplace !== true) {
        return `${what} Undo the change, or set allowReplace: true if that is what you want.`;
    }
    return state.deletionProtection === true
        ? `${what} It has deletionProtection: set that to false and run \`pulumi up\` first.`
        : undefined;
}

function connectionString(state: ServiceState & { initialPassword?: string }): string | undefined {
    const { host, port } = state;
    if (host === undefined) {
        return undefined;
    }
    const password = state.password ?? state.initialPassword;
    const user = password === undefined ? role : `${role}:${encodeURIComponent(password)}`;
    return `postgres://${user}@${host}${port === undefined ? "" : `:${port}`}/${database}?sslmode=require`;
}

export type { Fork, ServiceInputs } from "./inputs";
export type { ServiceObserved } from "./observed";
