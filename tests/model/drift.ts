import type { Emulator } from "../../emulator";
import type { Engine } from "./engine/engine";
import { lastId } from "./engine/entry";
import { idsIn, resourcesIn } from "./ledger";
import type { Operator } from "./operator";
import type { Drift } from "./scenario";

export async function applyDrift(drift: Drift, engine: Engine, emulator: Emulator, operator: Operator): Promise<void> {
    const id = lastId(engine.entry(drift.on)?.id);
    if (!idsIn(emulator).has(id)) {
        return;
    }
    if (drift.does === "delete") {
        deleteByHand(id, emulator);
        return;
    }
    switch (drift.on) {
        case "orders":
        case "reports":
            if (drift.does === "pause") {
                await operator.pause(id);
            } else if ("to" in drift) {
                emulator.updateService(id, drift.to);
            }
            break;
        case "network":
            emulator.updateVpc(id, { name: drift.to });
            break;
        case "readers":
            emulator.updateReplicaSet(id, drift.to);
            break;
    }
}

export function deleteByHand(id: string, emulator: Emulator): void {
    resourcesIn(emulator)
        .find((one) => one.id === id)
        ?.kind.deleteByHand(emulator, id);
}
