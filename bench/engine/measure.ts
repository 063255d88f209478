import { Stack, type Contestant, type StateResource, type Surroundings } from "./stack";

const commands = {
    "preview of a new stack": (stack: Stack, count: number) => stack.reset().then(() => stack.preview(count)),
    up: (stack: Stack, count: number) => stack.reset().then(() => stack.up(count)),
    "preview without changes": (stack: Stack, count: number) => stack.ensureUp(count).then(() => stack.preview(count)),
    "up without changes": (stack: Stack, count: number) => stack.ensureUp(count).then(() => stack.up(count)),
};
type Command = keyof typeof commands;

/** The medians of a contestant's runs. */
interface Measured {
    readonly ms: number;
    /** The time of the first contestant divided by that of this one. */
    readonly ratio: number;
}

/** A command with several contestants. */
export interface Comparison {
    readonly command: Command;
    readonly resources: number;
    readonly of: Readonly<Partial<Record<Contestant, Measured>>>;
}

/** The comparisons of some contestants. */
export interface Group {
    readonly comparisons: readonly Comparison[];
    /** The size of the largest service in the state file. */
    readonly bytesPerService: Readonly<Partial<Record<Contestant, number>>>;
    readonly providerBytes: number;
}

export interface EngineFigures {
    /** The duration of each service in `ups`. The services of the other groups become ready at once. */
    readonly upMs: number;
    readonly ups: Group;
    readonly quiets: Group;
    readonly hosts: Group;
}

const upMs = 10_000;
const rounds = 3;
/** `up` of as many resources runs once: it takes minutes, most of them for Pulumi's writing of the state. */
const manyResources = 1_000;
/** A service is queued for this part of its duration. */
const queuedPart = 0.1;

/** How a measurement runs. */
interface Setting {
    readonly surroundings: Surroundings;
    readonly progress: (text: string) => void;
}

export async function measureWithEngine(
    surroundings: Surroundings,
    progress: (text: string) => void,
): Promise<EngineFigures> {
    const setting = { surroundings, progress };
    const dynamic: Contestant[] = ["clouddb", "idler"];
    return {
        upMs,
        ups: await measureGroup(setting, dynamic, ["up"], [1, 100], upMs),
        quiets: await measureGroup(setting, dynamic, ["preview of a new stack", "up without changes"], [100, 1_000]),
        hosts: await measureGroup(
            setting,
            ["native", "clouddb"],
            ["preview of a new stack", "up", "preview without changes"],
            [1, 1_000],
        ),
    };
}

async function measureGroup(
    { surroundings, progress }: Setting,
    contestants: readonly Contestant[],
    names: readonly Command[],
    counts: readonly number[],
    ms = 0,
): Promise<Group> {
    const durations = { queued: queuedPart * ms, create: (1 - queuedPart) * ms };
    const stacks: Stack[] = [];
    try {
        for (const contestant of contestants) {
            progress(`warm-up of ${contestant}`);
            const stack = await Stack.start(contestant, surroundings, { durations }, ms);
            stacks.push(stack);
            await stack.preview(1);
        }
        const comparisons: Comparison[] = [];
        for (const [count, command] of counts.flatMap((one) => names.map((name) => [one, name] as const))) {
            progress(`${command}, ${count} resources: ${contestants.join(", ")}`);
            const isLong = command === "up" && count >= manyResources;
            comparisons.push(await compare(stacks, command, count, isLong ? 1 : rounds));
        }
        return groupOf(comparisons, stacks);
    } finally {
        await Promise.all(stacks.map((stack) => stack.remove()));
    }
}

/** Another contestant is first in each round, so that other work of the machine affects all of them. */
async function compare(stacks: Stack[], command: Command, resources: number, rounds: number): Promise<Comparison> {
    const runs = new Map(stacks.map((stack) => [stack, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
        const first = round % stacks.length;
        for (const stack of [...stacks.slice(first), ...stacks.slice(0, first)]) {
            runs.get(stack)?.push(await commands[command](stack, resources));
        }
    }
    const [[, ours] = [undefined, []]] = runs;
    const figures = [...runs].map(([{ contestant }, of]) => {
        const ratios = ours.map((ms, round) => ms / (of[round] ?? NaN));
        return [contestant, { ms: median(of), ratio: median(ratios) }] as const;
    });
    return { command, resources, of: Object.fromEntries(figures) };
}

function groupOf(comparisons: readonly Comparison[], stacks: readonly Stack[]): Group {
    const largestOf = (stack: Stack, part: (service: StateResource) => string) =>
        Math.max(...stack.services().map((service) => Buffer.byteLength(part(service))));
    const bytes = stacks.map((stack) => [stack.contestant, largestOf(stack, (one) => JSON.stringify(one))] as const);
    const dynamic = stacks.find(({ contestant }) => contestant === "clouddb");
    const providerBytes = dynamic ? largestOf(dynamic, ({ inputs }) => String(inputs?.__provider)) : NaN;
    return { comparisons, bytesPerService: Object.fromEntries(bytes), providerBytes };
}

function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
