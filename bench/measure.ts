import { cpus, loadavg } from "node:os";
import { measureSingle, measureWithEngine, type EngineFigures, type SingleFigures } from "./engine/measure";
import type { Surroundings } from "./engine/stack";
import { measureWaiting, type WaitingFigures } from "./waiting/measure";

/** All figures of a run; a part that was not requested is absent. */
export interface Figures {
    readonly quick: boolean;
    /** The load average of the machine at the beginning, over a minute. */
    readonly load: number;
    readonly waiting?: WaitingFigures;
    readonly engine?: EngineFigures;
    readonly single?: SingleFigures;
}

/** With a higher load per processor, the times of two successive runs differ too much. */
const busyLoad = 0.5;

/** Measures the requested part, or all. */
export async function measure(
    { only, quick = false }: { only?: string; quick?: boolean },
    surroundings: () => Promise<Surroundings>,
): Promise<Figures> {
    const began = Date.now();
    const progress = (text: string) => {
        process.stderr.write(`bench   ${String(Math.round((Date.now() - began) / 1_000)).padStart(4)} s  ${text}\n`);
    };
    const [load = 0] = loadavg();
    if (only !== "waiting" && load > cpus().length * busyLoad) {
        progress(`this machine is busy (load ${load.toFixed(1)}): times with the engine are not reliable`);
    }
    const isWanted = (part: string) => only === undefined || only === part;
    const waiting = isWanted("waiting") ? { waiting: await measureWaiting(quick, progress) } : {};
    if (!isWanted("engine") && !isWanted("single")) {
        return { quick, load, ...waiting };
    }
    const found = await surroundings();
    const engine = isWanted("engine") ? { engine: await measureWithEngine(found, quick, progress) } : {};
    const single = isWanted("single") ? { single: await measureSingle(found, quick, progress) } : {};
    return { quick, load, ...waiting, ...engine, ...single };
}
