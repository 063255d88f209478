import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { messageOf } from "../../provider/api/errors";
import { largest, median } from "../statistics";
import { measureHosts, type HostFigures } from "./hosts";
import { Stack, type EngineRun, type Surroundings } from "./stack";

/** This provider compared with one that does nothing; times are medians. */
export interface Comparison {
    readonly rounds: number;
    readonly oursMs: number;
    readonly theirsMs: number;
    /** The median over all rounds of our time divided by theirs. */
    readonly ratio: number;
    readonly ratioRange: readonly [number, number];
    /** The peak memory of the provider process, in bytes. */
    readonly ourPeakBytes: number;
    readonly theirPeakBytes: number;
    /** Processor time of the provider process. */
    readonly ourCpuMs: number;
    readonly theirCpuMs: number;
}

/** `up` of services that take a while. */
export interface UpCell extends Comparison {
    readonly services: number;
    readonly durationMs: number;
    /** Requests of our last run, by operation. */
    readonly requests: Readonly<Record<string, number>>;
}

/** A run without changes. */
export interface QuietCell extends Comparison {
    readonly resources: number;
    readonly what: "preview" | "no-change up";
}

export interface StateSize {
    readonly resources: number;
    /** The size of the largest service in the state file. */
    readonly bytesPerService: number;
    readonly providerBytes: number;
}

/** `up` of many services with a low rate limit of the API. */
export interface RateFigures {
    readonly services: number;
    readonly perSecond: number;
    readonly cameUp: number;
    readonly ms: number;
    readonly requests: number;
    readonly refused: number;
    /** The most often that the same request got 429 in succession. */
    readonly mostRefusalsInARow: number;
    /** How `pulumi up` failed, if it did. */
    readonly failure: string | undefined;
}

export interface EngineFigures {
    readonly ups: readonly UpCell[];
    readonly quiets: readonly QuietCell[];
    readonly state: StateSize;
    readonly rate: RateFigures;
    readonly hosts: HostFigures;
}

const sizes = {
    ...{ ups: [1, 10, 100], upMs: 10_000, quiets: [100, 1_000], rounds: 5 },
    limited: { services: 100, perSecond: 5, durationMs: 10_000 },
    hosts: { counts: [1, 100, 1_000], rounds: 3 },
};
const quickSizes = {
    ...{ ups: [3], upMs: 1_000, quiets: [5], rounds: 1 },
    limited: { services: 5, perSecond: 5, durationMs: 1_000 },
    hosts: { counts: [1, 5], rounds: 1 },
};
/** A service is queued for this part of its duration. */
const queuedPart = 0.1;
const parallel = 100;

/** The two sides of a comparison. */
interface Sides {
    readonly clouddb: Stack;
    readonly idler: Stack;
}

export async function measureWithEngine(
    surroundings: Surroundings,
    quick: boolean,
    progress: (text: string) => void,
): Promise<EngineFigures> {
    const { ups: upSizes, upMs, quiets: quietSizes, rounds, limited, hosts } = quick ? quickSizes : sizes;
    const ups: UpCell[] = [];
    const slow = { queued: queuedPart * upMs, create: (1 - queuedPart) * upMs };
    await withSides(surroundings, { durations: slow }, async (sides, emulator) => {
        progress("warm-up");
        await sides.idler.up({ count: 1 });
        for (const services of upSizes) {
            progress(`up of ${services} services of ${upMs / 1_000} s each`);
            let requests: Record<string, number> = {};
            const comparison = await compare(sides, rounds, async (stack) => {
                await stack.forget();
                emulator.reset();
                const run = await stack.up({ count: services, parallel, sleepMs: upMs });
                requests = stack === sides.clouddb ? countByOperation(emulator) : requests;
                return run;
            });
            ups.push({ services, durationMs: upMs, requests, ...comparison });
        }
    });
    const quiets: QuietCell[] = [];
    let state: StateSize = { resources: 0, bytesPerService: NaN, providerBytes: NaN };
    for (const resources of quietSizes) {
        await withSides(surroundings, { durations: { queued: 0, create: 0 } }, async (sides) => {
            const options = { count: resources };
            progress(`preview of ${resources} resources`);
            const previews = await compare(sides, rounds, (stack) => stack.preview(options));
            progress(`no-change up of ${resources} resources`);
            await sides.clouddb.up({ ...options, parallel });
            await sides.idler.up({ ...options, parallel });
            const unchanged = await compare(sides, rounds, (stack) => stack.up(options));
            quiets.push({ resources, what: "preview", ...previews }, { resources, what: "no-change up", ...unchanged });
            state = stateOf(sides.clouddb);
        });
    }
    progress(`up of ${limited.services} services at ${limited.perSecond} requests a second`);
    const rate = await measureRate(surroundings, limited);
    return { ups, quiets, state, rate, hosts: await measureHosts(surroundings, hosts, progress) };
}

/**
 * Runs both sides and alternates which one is first, so that other work of the machine affects both. Each ratio
 * compares two successive runs.
 */
async function compare(sides: Sides, rounds: number, run: (stack: Stack) => Promise<EngineRun>): Promise<Comparison> {
    const ours: EngineRun[] = [];
    const theirs: EngineRun[] = [];
    for (let round = 0; round < rounds; round++) {
        const turns = [
            () => run(sides.clouddb).then((one) => ours.push(one)),
            () => run(sides.idler).then((one) => theirs.push(one)),
        ];
        for (const turn of round % 2 === 0 ? turns : turns.reverse()) {
            await turn();
        }
    }
    const ratios = ours.map(({ ms }, round) => ms / (theirs[round]?.ms ?? NaN));
    const medianOf = (runs: readonly EngineRun[], figure: (run: EngineRun) => number | undefined) =>
        median(runs.map((one) => figure(one) ?? NaN));
    return {
        rounds,
        oursMs: medianOf(ours, ({ ms }) => ms),
        theirsMs: medianOf(theirs, ({ ms }) => ms),
        ratio: median(ratios),
        ratioRange: [Math.min(...ratios), Math.max(...ratios)],
        ourPeakBytes: medianOf(ours, ({ probe }) => probe?.peakBytes),
        theirPeakBytes: medianOf(theirs, ({ probe }) => probe?.peakBytes),
        ourCpuMs: medianOf(ours, ({ probe }) => probe?.cpuMs),
        theirCpuMs: medianOf(theirs, ({ probe }) => probe?.cpuMs),
    };
}

function measureRate(
    surroundings: Surroundings,
    { services, perSecond, durationMs }: { services: number; perSecond: number; durationMs: number },
): Promise<RateFigures> {
    const options = { rate: perSecond, durations: { queued: 0, create: durationMs } };
    return withSides(surroundings, options, async ({ clouddb }, emulator) => {
        const run = await clouddb.up({ count: services, parallel: services }).catch(messageOf);
        const [ended, failure] = typeof run === "string" ? [undefined, run] : [run, undefined];
        const journal = emulator.journal();
        return {
            services,
            perSecond,
            cameUp: emulator.snapshot().services.filter(({ status }) => status === "READY").length,
            ms: ended?.ms ?? NaN,
            requests: journal.length,
            refused: journal.filter(({ status }) => status === 429).length,
            mostRefusalsInARow: mostRefusalsInARow(journal),
            failure,
        };
    });
}

async function withSides<T>(
    surroundings: Surroundings,
    options: EmulatorOptions,
    work: (sides: Sides, emulator: Emulator) => Promise<T>,
): Promise<T> {
    const emulator = await startEmulator(options);
    const stacks: Stack[] = [];
    const create = async (contestant: "clouddb" | "idler") => {
        const stack = new Stack(contestant, surroundings, emulator);
        stacks.push(stack);
        await stack.init();
        return stack;
    };
    try {
        return await work({ clouddb: await create("clouddb"), idler: await create("idler") }, emulator);
    } finally {
        stacks.forEach((stack) => stack.remove());
        await emulator.close();
    }
}

function stateOf(stack: Stack): StateSize {
    const services = stack.state().filter(({ type }) => type.endsWith(":Service"));
    return {
        resources: services.length,
        bytesPerService: largest(services.map((service) => Buffer.byteLength(JSON.stringify(service)))),
        providerBytes: largest(services.map(({ inputs }) => Buffer.byteLength(String(inputs?.__provider)))),
    };
}

function mostRefusalsInARow(journal: ReturnType<Emulator["journal"]>): number {
    const refusals = new Map<string, number>();
    return largest(
        journal.map(({ method, path, body, status }) => {
            const request = JSON.stringify([method, path, body]);
            const inARow = status === 429 ? (refusals.get(request) ?? 0) + 1 : 0;
            refusals.set(request, inARow);
            return inARow;
        }),
    );
}

function countByOperation(emulator: Emulator): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { operationId = "unknown" } of emulator.journal()) {
        counts[operationId] = (counts[operationId] ?? 0) + 1;
    }
    return counts;
}
