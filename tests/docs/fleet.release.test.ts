import { join } from "node:path";
import { mkdirSync } from "node:fs";
import { runFleet, summaryOf, type FleetOptions } from "../../examples/fleet/fleet";
import { environmentOf, startFastEmulator, workDir } from "../support/engine";

const names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const parallel = 3;

test("eight stacks are created and updated in parallel at a limited rate; the failed one resumes", async () => {
    const emulator = await startFastEmulator({ rate: 4, faults: ["createService#5:400"] });
    const folder = workDir();
    mkdirSync(join(folder, "state"));
    const lines: string[] = [];
    const envVars = await environmentOf(folder, emulator);
    const run = (cpuMillis: number, more: Partial<FleetOptions> = {}) => {
        lines.length = 0;
        return runFleet({
            tenants: names.map((name) => ({ name, cpuMillis })),
            command: "up",
            parallel,
            folder,
            log: (line) => lines.push(line),
            envVars,
            ...more,
        });
    };

    const first = await run(500);
    expect(first.filter(({ result }) => result === "failed")).toHaveLength(1);
    expect(emulator.snapshot().services).toHaveLength(names.length - 1);
    expect(emulator.journal().some(({ status }) => status === 429)).toBe(true);
    let running = 0;
    const most = Math.max(...lines.map((line) => (running += line.endsWith(" started") ? 1 : -1)));
    expect(most).toBe(parallel);
    expect(summaryOf(first)).toMatch(/failed:.*"database"/);

    const second = await run(1000);
    expect(second.every(({ result }) => result === "succeeded")).toBe(true);
    const { services } = emulator.snapshot();
    expect(new Set(services.map(({ name }) => name)).size).toBe(names.length);
    expect(services.map(({ resources }) => resources[0]?.spec?.cpu_millis)).toEqual(names.map(() => 1000));
    expect(emulator.journal().filter(({ operationId }) => operationId === "resizeService")).not.toHaveLength(0);

    const stopped = await run(1000, { command: "destroy", signal: AbortSignal.abort() });
    expect(stopped.map(({ result }) => result)).toEqual(names.map(() => "not started"));
});
