import type { Emulator } from "../../../emulator";
import type { Engine } from "./engine";
import type { Drift } from "./scenario";

/** Does something behind the program's back, if the thing is there; notes what is gone then. */
export function applyDrift(drift: Drift, engine: Engine, emulator: Emulator, gone: Set<string>): void {
    const id = engine.entry(drift.on)?.id.split("/").at(-1);
    const { services, peerings, vpcs } = emulator.snapshot();
    const ids = [...services, ...services.flatMap(({ read_replica_sets: sets = [] }) => sets), ...peerings, ...vpcs];
    if (id === undefined || !ids.some((one) => ("service_id" in one ? one.service_id : one.id) === id)) return;
    if (drift.does === "delete") gone.add(id);
    switch (drift.on) {
        case "orders":
        case "reports":
            if (drift.does === "delete") emulator.deleteService(id);
            else emulator.updateService(id, drift.to);
            break;
        case "network":
            emulator.updateVpc(id, { name: drift.to });
            break;
        case "readers":
            if (drift.does === "delete") emulator.deleteReplicaSet(id);
            else emulator.updateReplicaSet(id, drift.to);
            break;
        case "peering":
            emulator.deletePeering(id);
            break;
    }
}
