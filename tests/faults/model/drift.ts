import type { Emulator } from "../../../emulator";
import { untypedKinds } from "../../support/cases";
import type { Engine } from "./engine/engine";
import { lastId } from "./engine/entry";
import { idsIn } from "./ledger";
import type { Operator } from "./operator";
import type { Key } from "./program";
import type { Drift } from "./scenario";

/** Makes a manual change, if the resource exists. Adds the ids of deleted resources to `gone`. */
export async function applyDrift(
    drift: Drift,
    engine: Engine<Key>,
    emulator: Emulator,
    operator: Operator,
    gone: Set<string>,
): Promise<void> {
    const entry = engine.entry(drift.on);
    const id = lastId(entry?.id);
    if (!idsIn(emulator).has(id)) {
        return;
    }
    if (drift.does === "delete") {
        const world = emulator.snapshot();
        const all = Object.values(untypedKinds).flatMap(({ items }) => items(world));
        const contained = all.filter(({ item }) => (item as { service_id?: string }).service_id === id);
        [id, ...contained.map((one) => one.id)].forEach((one) => gone.add(one));
    }
    switch (drift.on) {
        case "orders":
        case "reports":
            if (drift.does === "delete") {
                emulator.deleteService(id);
            } else if (drift.does === "pause") {
                await operator.pause(id);
            } else if (drift.does === "attach") {
                emulator.updateService(id, { vpcId: await operator.network() });
            } else if ("to" in drift) {
                emulator.updateService(id, drift.to);
            }
            break;
        case "network":
            emulator.updateVpc(id, { name: drift.to });
            break;
        case "readers":
            if (drift.does === "delete") {
                emulator.deleteReplicaSet(id);
            } else {
                emulator.updateReplicaSet(id, drift.to);
            }
            break;
        case "peering":
            emulator.deletePeering(id);
            break;
    }
}

export function deleteByHand(id: string, emulator: Emulator): void {
    const world = emulator.snapshot();
    const kind = Object.values(untypedKinds).find(({ items }) => items(world).some((one) => one.id === id));
    kind?.deleteByHand(emulator, id);
}
