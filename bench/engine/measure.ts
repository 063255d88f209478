import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { largest } from "../statistics";
import { compare, type Comparison, type Sides } from "./compare";
import { Stack, type Surroundings } from "./stack";

/** `up` of so many services that take a while. */
export interface UpCell extends Comparison {
    readonly services: number;
    readonly rounds: number;
    readonly durationMs: number;
    /** Requests of a run of ours, by operation. */
    readonly requests: Readonly<Record<string, number>>;
}

/** What a run costs in which nothing is to be done. */
export interface QuietCell extends Comparison {
    readonly resources: number;
    readonly rounds: number;
    readonly what: "preview" | "no-change up";
}

export interface StateSize {
    readonly resources: number;
    /** The largest of all services, as it is in the state's file. */
    readonly bytesPerService: number;
    readonly providerBytes: number;
}

/** All that the real engine is measured with. */
export interface EngineSizes {
    readonly ups: readonly number[];
    readonly upDurationMs: number;
    readonly upRounds: number;
    readonly quiets: readonly number[];
    readonly quietRounds: number;
}

export interface EngineFigures {
    readonly ups: readonly UpCell[];
    readonly quiets: readonly QuietCell[];
    readonly state: StateSize;
}

/** A service is queued for this part of its time. */
const queuedPart = 0.1;
const parallel = 100;

export async function measureEngine(
    surroundings: Surroundings,
    sizes: EngineSizes,
    onCell: (text: string) => void,
): Promise<EngineFigures> {
    const ups: UpCell[] = [];
    const quiets: QuietCell[] = [];
    const { upDurationMs } = sizes;
    const slow = { queued: queuedPart * upDurationMs, create: (1 - queuedPart) * upDurationMs };
    await withSides(surroundings, { durations: slow }, async (sides, emulator) => {
        onCell("warming up");
        await sides.idler.up({ count: 1 });
        for (const services of sizes.ups) {
            onCell(`up of ${services} services of ${upDurationMs / 1000} s each`);
            ups.push(await measureUp(sides, emulator, services, sizes));
        }
    });
    let state: StateSize | undefined;
    for (const resources of sizes.quiets) {
        await withSides(surroundings, { durations: { queued: 0, create: 0 } }, async (sides) => {
            for (const what of ["preview", "no-change up"] as const) {
                onCell(`${what} of ${resources} resources`);
                quiets.push(await measureQuiet(sides, what, resources, sizes.quietRounds));
            }
            state = stateOf(sides.clouddb);
        });
    }
    return { ups, quiets, state: state ?? { resources: 0, bytesPerService: NaN, providerBytes: NaN } };
}

async function measureUp(
    sides: Sides,
    emulator: Emulator,
    services: number,
    { upDurationMs: durationMs, upRounds: rounds }: EngineSizes,
): Promise<UpCell> {
    let requests = {};
    const comparison = await compare(sides, rounds, async (stack) => {
        await stack.forget();
        emulator.reset();
        const run = await stack.up({ count: services, parallel, sleepMs: durationMs });
        if (stack === sides.clouddb) {
            requests = countByOperation(emulator);
        }
        return run;
    });
    return { services, rounds, durationMs, requests, ...comparison };
}

/** Previews are of a stack that has nothing yet; then all is made, and `up` finds nothing to change. */
async function measureQuiet(
    sides: Sides,
    what: QuietCell["what"],
    resources: number,
    rounds: number,
): Promise<QuietCell> {
    const options = { count: resources };
    if (what === "no-change up") {
        await sides.clouddb.up({ ...options, parallel });
        await sides.idler.up({ ...options, parallel });
    }
    const comparison = await compare(sides, rounds, (stack) =>
        what === "preview" ? stack.preview(options) : stack.up(options),
    );
    return { resources, rounds, what, ...comparison };
}

function stateOf(stack: Stack): StateSize {
    const services = stack.state().resources.filter(({ type }) => type.endsWith(":Service"));
    return {
        resources: services.length,
        bytesPerService: largest(services.map((service) => Buffer.byteLength(JSON.stringify(service)))),
        providerBytes: largest(services.map(({ inputs }) => Buffer.byteLength(String(inputs?.__provider)))),
    };
}

async function withSides(
    surroundings: Surroundings,
    options: EmulatorOptions,
    work: (sides: Sides, emulator: Emulator) => Promise<void>,
): Promise<void> {
    const emulator = await startEmulator(options);
    const stacks: Stack[] = [];
    try {
        const clouddb = await Stack.create("clouddb", surroundings, emulator);
        stacks.push(clouddb);
        const idler = await Stack.create("idler", surroundings, emulator);
        stacks.push(idler);
        await work({ clouddb, idler }, emulator);
    } finally {
        stacks.forEach((stack) => stack.remove());
        await emulator.close();
    }
}

export function countByOperation(emulator: Emulator): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { operationId = "unknown" } of emulator.journal()) {
        counts[operationId] = (counts[operationId] ?? 0) + 1;
    }
    return counts;
}
