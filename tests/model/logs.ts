import { getServiceLogs } from "../../provider/functions/logs";
import { functionContext } from "../../provider/hosts/native/server";
import { inProcess } from "../support/inProcess";
import { startRun } from "./provider";
import type { Stack } from "./stack";
import type { World } from "./world";

/** Reads the log of each service, as a program can, whatever its entries say. */
export async function readLogs({ engine }: Stack, { emulator, clock }: World): Promise<void> {
    const context = functionContext(startRun(emulator, clock, inProcess(emulator), {}).startSilent(), false);
    for (const { id } of engine.state.liveEntries().filter(({ type }) => type === "Service")) {
        emulator.fillLogs(id, 10);
        await getServiceLogs.run({ serviceId: id }, context);
    }
}
