import type { Schemas } from "../../api/contract";
import { isSameText, plain, show, type Planned } from "../../base/fields";
import { newSecret } from "../../api/clock";
import { formatSize, fullSize, wireSize } from "../../base/size";
import { observing } from "../../model/outputs";
import type { Resource } from "../../model/resource";
import { serviceIds, validate, fields, type ServiceInputs } from "./inputs";
import { anyService, mustBeRunning, readiness } from "./status";
import { observed, outputs, type ServiceObserved } from "./outputs";
import { anyVpc } from "../vpc";
import { alreadyHas, passwordWarnings, steps, typeFits, type ServiceKind } from "./plan";

const minute = 60_000;

/**
 * A database service.
 *
 * Its creation waits until the status is `READY`, and then applies the settings that the create request does not accept.
 * A change that the API cannot make in place replaces the service, which fails in the preview while the state has
 * `deletionProtection: true`. The deletion waits until the service is gone. The resource id is the id of the service.
 */
export const service: Resource<ServiceKind> = {
    ...anyService,
    hasData: true,
    fields,
    outputs,
    times: (inputs) => ({
        // A fork copies the data of its parent, which can take hours.
        create: inputs?.fork === undefined ? 60 * minute : 12 * 60 * minute,
        update: 60 * minute,
        delete: 30 * minute,
    }),
    validate,
    steps,
    warnings: passwordWarnings,
    alreadyHas,
    references: [
        { input: "fork.serviceId", ...mustBeRunning },
        { input: "vpcId", kind: anyVpc, blocksDeletion: true },
    ],
    identity: { idForm: serviceIds.idForm, unique: ({ projectId, name }) => [projectId, name] },
    observation: {
        observe: observing(observed),
        readiness,
    },
    creation: {
        describe: describeCreate,
        send: (inputs, path, { client }, options) =>
            inputs.fork
                ? client.call(
                      "forkService",
                      { path: { ...path, service_id: inputs.fork.serviceId }, body: forkBody(inputs, inputs.fork) },
                      options,
                  )
                : client.call("createService", { path, body: createBody(inputs) }, options),
        heldAfter: ({ initial_password: initialPassword }, { passwordVersion }) => {
            if (passwordVersion !== undefined) {
                // The step follows from passwordVersion, with and without a response. `uncertain` only matters if the program removes
                // passwordVersion before the step has run: `passwordWarnings` then warns, because no state has the password in force.
                return { held: {}, uncertain: ["initialPassword"] };
            }
            if (initialPassword) {
                return { held: { initialPassword } };
            }
            // The response was lost. `password` is uncertain, so that a step is planned: it sets the declared password, otherwise this
            // new one. `initialPassword` is uncertain, so that the step with a declared password removes it.
            return { held: { initialPassword: newSecret(passwordBytes) }, uncertain: ["password", "initialPassword"] };
        },
        matches: (item, { name }) => isSameText(item.name, name),
        adoptionRefusal,
        adoptionRemark: ({ password, passwordVersion }) =>
            password === undefined && passwordVersion === undefined
                ? "its connection strings have no password, because the program declares none"
                : undefined,
    },
};

const passwordBytes = 18;

function commonBody(inputs: ServiceInputs) {
    const { name = "", environment = "DEV" } = inputs;
    const size = fullSize(inputs);
    return { name, ...(size && wireSize(size)), environment_tag: environment };
}

function createBody(inputs: ServiceInputs) {
    const { addons, regionCode, replicaCount } = inputs;
    return {
        ...commonBody(inputs),
        ...(addons === undefined ? {} : { addons }),
        ...(regionCode === undefined ? {} : { region_code: regionCode }),
        ...(replicaCount === undefined ? {} : { replica_count: replicaCount }),
    };
}

function forkBody(inputs: ServiceInputs, { strategy, targetTime }: NonNullable<ServiceInputs["fork"]>) {
    const time = targetTime === undefined ? {} : { target_time: targetTime.toUpperCase() };
    return { ...commonBody(inputs), fork_strategy: strategy, ...time };
}

/** The create request sets some of the inputs. A plan sets the others. */
function describeCreate(declared: Planned<ServiceInputs>) {
    const { name, projectId, regionCode, replicaCount = 0, environment = "DEV", fork, addons } = declared;
    const size = fullSize(declared);
    const replicas = fork === undefined ? replicaCount : 0;
    const parts = [
        size && formatSize(size),
        replicas === 0 ? undefined : `${show(replicas)} HA ${replicas === 1 ? "replica" : "replicas"}`,
        plain(environment),
        Array.isArray(addons) && addons.length > 0 ? addons.map(plain).join(" and ") : undefined,
        regionCode === undefined ? undefined : `in ${show(regionCode)}`,
    ];
    const verb = fork === undefined ? "create service" : `fork ${describeFork(fork)} as service`;
    return {
        text: `${verb} ${show(name)}: ${parts.filter((part) => part !== undefined).join(", ")}`,
        sets: { name, ...size, replicaCount: replicas, environment } as Partial<ServiceObserved>,
        proof: (typeof fork === "object" ? { forkedFrom: { serviceId: fork.serviceId, projectId } } : {}) as object,
    };
}

function describeFork(fork: Planned<ServiceInputs>["fork"]): string {
    if (typeof fork !== "object") {
        return "(known after apply)";
    }
    const time = fork.targetTime === undefined ? "" : ` ${show(fork.targetTime)}`;
    return `${show(fork.serviceId)} (${plain(fork.strategy)}${time})`;
}

function adoptionRefusal(item: Schemas["Service"], { addons, fork }: ServiceInputs): string | undefined {
    const isOtherType = addons !== undefined && !typeFits(item.service_type, addons);
    const isNoFork = fork !== undefined && item.forked_from?.service_id === undefined;
    return (
        (isOtherType ? `its type is ${item.service_type}, which does not support addons ${show(addons)}` : undefined) ??
        (isNoFork ? "it is not a fork, and the program declares one" : undefined)
    );
}
