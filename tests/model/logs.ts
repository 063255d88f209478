import { getServiceLogs } from "../../provider/functions/logs";
import { functionContext } from "../../provider/hosts/native/server";
import { startRun } from "./provider";
import type { Stack } from "./stack";
import type { World } from "./world";
import { inProcess } from "../support/inProcess";

const lines = 3;

/** A program can read the log of each of its services, whatever its entries say. */
export async function unreadLogs({ engine }: Stack, { emulator, clock }: World): Promise<string[]> {
    const context = functionContext(startRun(emulator, clock, inProcess(emulator), {}).startSilent(), false);
    const problems: string[] = [];
    for (const { id } of engine.state.liveEntries().filter(({ type }) => type === "Service")) {
        emulator.fillLogs(id, lines);
        const { length } = await getServiceLogs.run({ serviceId: id, limit: lines }, context);
        if (length !== lines) {
            problems.push(`the log of ${id} has ${length} instead of ${lines} entries`);
        }
    }
    return problems;
}
