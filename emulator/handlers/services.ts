import { findService, findStandby, listed } from "../world/find";
import { logPage } from "../world/logPages";
import {
    attachToVpc,
    createService,
    deleteService,
    detachFromVpc,
    forkService,
    renameService,
    resizeService,
    setEnvironment,
    setHA,
    setPooler,
    startService,
    stopService,
    updatePassword,
} from "../world/services";
import type { Made } from "../world/services";
import type { ServiceRecord } from "../world/state";
import { serviceView, standbyView } from "../world/views";
import type { World } from "../world/world";
import type { Wire } from "../wire";
import type { Call, HandlersOf } from "./handler";

type Lifecycle =
    "listServices" | "createService" | "getService" | "deleteService" | "startService" | "stopService" | "forkService";
type Changes = "resizeService" | "setHA" | "attachToVPC" | "detachFromVPC";
type Settings = "enablePooler" | "disablePooler" | "setEnvironment" | "updatePassword" | "renameService";

export const serviceHandlers: HandlersOf<Lifecycle | Changes | Settings | "getServiceLogs"> = {
    listServices: ({ world, params }) =>
        listed(world, "services", params.project_id).map((service) => serviceView(world, service)),
    createService: ({ world, params, body }) => createdView(world, createService(world, params.project_id, body)),
    getService: ({ world, params }) => {
        const standby = findStandby(world, params.project_id, params.service_id);
        if (standby) {
            return standbyView(world, standby.set, standby.parent);
        }
        return serviceView(world, findService(world, params.project_id, params.service_id));
    },
    deleteService: (call) => {
        deleteService(call.world, serviceOf(call));
    },
    startService: (call) => changed(call, (service) => startService(call.world, service)),
    stopService: (call) => changed(call, (service) => stopService(call.world, service)),
    forkService: (call) => createdView(call.world, forkService(call.world, serviceOf(call), call.body)),

    resizeService: (call) => changed(call, (service) => resizeService(call.world, service, call.body)),
    setHA: (call) => changed(call, (service) => setHA(call.world, service, call.body)),
    attachToVPC: (call) => {
        const service = serviceOf(call);
        attachToVpc(call.world, service, call.body.vpc_id);
        return { message: `Service ${service.id} is being attached to VPC ${call.body.vpc_id}.` };
    },
    detachFromVPC: (call) => {
        const service = serviceOf(call);
        detachFromVpc(call.world, service, call.body.vpc_id);
        return { message: `Service ${service.id} is being detached from VPC ${call.body.vpc_id}.` };
    },

    enablePooler: (call) => {
        setPooler(serviceOf(call), true);
        return { message: "The connection pooler is enabled." };
    },
    disablePooler: (call) => {
        setPooler(serviceOf(call), false);
        return { message: "The connection pooler is disabled." };
    },
    setEnvironment: (call) => {
        setEnvironment(serviceOf(call), call.body.environment);
        return { message: `The environment is ${call.body.environment}.` };
    },
    renameService: (call) => {
        const service = serviceOf(call);
        renameService(service, call.body.name);
        return serviceView(call.world, service);
    },
    updatePassword: (call) => {
        updatePassword(call.world, serviceOf(call), call.body.password);
    },

    getServiceLogs: (call) => logPage(call.world, serviceOf(call), call.query),
};

type OfService = Pick<Call<"getService">, "params" | "world">;

const serviceOf = ({ world, params }: OfService): ServiceRecord =>
    findService(world, params.project_id, params.service_id);

/** The response to a change contains the new status even while reads are stale. */
function changed(call: OfService, change: (service: ServiceRecord) => string): Wire["Service"] {
    const service = serviceOf(call);
    const status = change(service);
    return serviceView(call.world, service, status);
}

const createdView = (world: World, { service, initialPassword }: Made): Wire["Service"] => ({
    ...serviceView(world, service),
    initial_password: initialPassword,
});
