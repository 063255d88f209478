import { startEmulator, type Emulator } from "../../emulator";
import { largest, median } from "../statistics";
import { Stack, type Contestant, type Surroundings } from "./stack";

/** The hosts of this provider, and a plugin that does nothing. */
const contestants = ["clouddb", "native", "empty"] as const satisfies readonly Contestant[];
type Compared = (typeof contestants)[number];

/** A command with each host; times are medians. The ratios are medians over the rounds. */
export interface HostCell {
    readonly command: "preview of a new stack" | "up" | "preview without changes";
    readonly resources: number;
    readonly ms: Readonly<Record<Compared, number>>;
    readonly nativeToDynamic: number;
    readonly nativeToEmpty: number;
}

export interface HostFigures {
    readonly rounds: number;
    readonly cells: readonly HostCell[];
    /** The size of the largest service in the state file. */
    readonly bytesPerService: Readonly<Record<Compared, number>>;
}

type Times = Record<Compared, number>[];

/** A stack with its own emulator, because services of different stacks have the same names. */
interface Side {
    readonly stack: Stack;
    readonly emulator: Emulator;
}

/** Compares the dynamic and the native host with a plugin that does nothing. Services become ready at once. */
export async function measureHosts(
    surroundings: Surroundings,
    { counts, rounds }: { readonly counts: readonly number[]; readonly rounds: number },
    progress: (text: string) => void,
): Promise<HostFigures> {
    const sides = {} as Record<Compared, Side>;
    const cells: HostCell[] = [];
    let bytesPerService = ofEach(() => NaN);
    try {
        for (const contestant of contestants) {
            const emulator = await startEmulator({ durations: { queued: 0, create: 0 } });
            sides[contestant] = { emulator, stack: new Stack(contestant, surroundings, emulator) };
            await sides[contestant].stack.init();
        }
        for (const count of counts) {
            progress(`previews and up of ${count} resources with each host`);
            const times: Record<HostCell["command"], Times> = {
                "preview of a new stack": [],
                up: [],
                "preview without changes": [],
            };
            for (let round = 0; round < rounds; round++) {
                const measured = await measureRound(sides, count, round);
                times["preview of a new stack"].push(measured.previews);
                times.up.push(measured.ups);
                times["preview without changes"].push(measured.unchanged);
            }
            for (const [command, rows] of Object.entries(times) as [HostCell["command"], Times][]) {
                cells.push(cellOf(command, count, rows));
            }
            bytesPerService = ofEach((contestant) => largestResource(sides[contestant].stack));
        }
        return { rounds, cells, bytesPerService };
    } finally {
        for (const { stack, emulator } of Object.values(sides)) {
            stack.remove();
            await emulator.close();
        }
    }
}

/** Another contestant is first in each round, so that other work of the machine affects all of them. */
async function measureRound(sides: Record<Compared, Side>, count: number, round: number) {
    const order = contestants.map((_, index) => contestants[(index + round) % contestants.length] ?? "empty");
    const [previews, ups, unchanged] = [ofEach(() => NaN), ofEach(() => NaN), ofEach(() => NaN)];
    for (const contestant of order) {
        const { stack, emulator } = sides[contestant];
        await stack.forget();
        emulator.reset();
        previews[contestant] = (await stack.preview({ count })).ms;
    }
    for (const contestant of order) {
        ups[contestant] = (await sides[contestant].stack.up({ count, parallel: 100 })).ms;
    }
    for (const contestant of order) {
        unchanged[contestant] = (await sides[contestant].stack.preview({ count })).ms;
    }
    return { previews, ups, unchanged };
}

function cellOf(command: HostCell["command"], resources: number, rows: Times): HostCell {
    const medianOf = (figure: (row: Record<Compared, number>) => number) => median(rows.map(figure));
    return {
        command,
        resources,
        ms: ofEach((contestant) => medianOf((row) => row[contestant])),
        nativeToDynamic: medianOf(({ native, clouddb }) => native / clouddb),
        nativeToEmpty: medianOf(({ native, empty }) => native / empty),
    };
}

function ofEach<T>(value: (contestant: Compared) => T): Record<Compared, T> {
    return { clouddb: value("clouddb"), native: value("native"), empty: value("empty") };
}

function largestResource(stack: Stack): number {
    const services = stack.state().filter(({ type }) => /:(Service|Idler)$/.test(type));
    return largest(services.map((service) => Buffer.byteLength(JSON.stringify(service))));
}
