import { count, listOf, tableOf, type Claim } from "../report";
import { base, dynamicHost, type Contestant } from "./contestants";
import { allCommands, type Command, type Series } from "./series";

/** The machine and the tools, and the load of the computer before and after. */
export interface Conditions {
    readonly services: number;
    readonly cores: number;
    readonly node: string;
    readonly pulumi: string;
    readonly loadBefore: number;
    readonly loadAfter: number;
}

/** One series of each contestant, by its name, in each round. */
export type Rounds = readonly Readonly<Record<string, Series>>[];

/** The load above which another process has taken part of the time. */
export const idleLoad = 0.5;

type Limits = Readonly<Record<Command, number>>;

/** By the number of services: how many times the time of a dynamic provider that does nothing a command may take. */
const limits: Readonly<Record<number, Limits>> = {
    200: { up: 1.25, preview: 1.05, "up again": 1.05, refresh: 2.6, destroy: 2.5 },
    1000: { up: 1.12, preview: 1.05, "up again": 1.05, refresh: 2.6, destroy: 1.2 },
};

function median(values: readonly number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    const [lower = NaN, upper = NaN] =
        sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]];
    return (lower + upper) / 2;
}

const medianOf = (rounds: Rounds, name: string, command: Command, value: "seconds" | "requests"): number =>
    median(rounds.map((round) => round[name]?.[command][value] ?? NaN));

/** The time in comparison with that of a provider that does nothing, in the same round. */
const ratioOf = (rounds: Rounds, name: string, command: Command): number =>
    median(
        rounds.map(
            ({ [name]: one, [base]: other }) => (one?.[command].seconds ?? NaN) / (other?.[command].seconds ?? NaN),
        ),
    );

const times = (ratio: number): string => `${ratio.toFixed(2)} x`;

/** The claims about this provider. None if the computer was not idle, or for another number of services. */
export function engineClaims(rounds: Rounds, { services, loadBefore }: Conditions): Claim[] {
    const { [services]: ofNumber } = limits;
    if (ofNumber === undefined || loadBefore > idleLoad) {
        return [];
    }
    return allCommands.map((command) => {
        const [ratio, limit] = [ratioOf(rounds, dynamicHost, command), ofNumber[command]];
        return {
            text: `${command} of ${count(services)} services: at most ${times(limit)} a dynamic provider that does nothing`,
            figure: times(ratio),
            holds: ratio <= limit,
        };
    });
}

const headingOf = (services: number): string => `## ${count(services)} services with Pulumi's engine`;

/** The sections of a page with the figures of an engine, the smallest number of services first. */
export const engineSectionsIn = (page: string): string[] =>
    page
        .split(/^(?=## )/m)
        .filter((section) => /^## [\d,]+ services with /.test(section))
        .sort((a, b) => servicesIn(a) - servicesIn(b));

const servicesIn = (section: string): number => parseInt(section.slice("## ".length).replaceAll(",", ""), 10);

/** The page with this section instead of the one for the same number of services. */
export function withEngineSection(page: string, section: string): string {
    const all = engineSectionsIn(page);
    const rest = all.reduce((text, one) => text.replace(one, () => ""), page);
    const others = all.filter((one) => servicesIn(one) !== servicesIn(section));
    return [rest, ...engineSectionsIn([...others, section].join("\n"))].join("\n");
}

/** The section of the page. */
export function engineSection(contestants: readonly Contestant[], rounds: Rounds, conditions: Conditions): string {
    const { cores, loadAfter, loadBefore, node, pulumi, services } = conditions;
    const claims = engineClaims(rounds, conditions);
    const rows = (cell: (name: string, command: Command) => string) =>
        contestants.map(({ name }) => [name, ...allCommands.map((command) => cell(name, command))]);
    const time = (name: string, command: Command) =>
        `${medianOf(rounds, name, command, "seconds").toFixed(1)} (${times(ratioOf(rounds, name, command))})`;
    const requests = (name: string, command: Command) => count(medianOf(rounds, name, command, "requests"));
    const noClaim =
        loadBefore > idleLoad
            ? `The load of the computer was above ${idleLoad} at the start, so there is no claim.`
            : "There is no claim for this number of services.";
    return [
        headingOf(services),
        `Each command of Pulumi on services that are ready at once, and gone at once: the seconds, and in brackets how many times those of a dynamic provider that does nothing, which is what Pulumi alone takes. Both are the median of ${rounds.length === 1 ? "one round" : `${rounds.length} rounds`}, and each ratio is of the same round. The naive provider is what a team writes in an afternoon: a request for each call of Pulumi, and then one every 5 s until the service is ready or gone.`,
        tableOf(["seconds", ...allCommands], rows(time)),
        tableOf(["requests", ...allCommands], rows(requests)),
        claims.length === 0 ? noClaim : listOf(claims),
        `Measured on ${cores} cores with Node.js ${node} and Pulumi ${pulumi}. Load of the computer: ${loadBefore.toFixed(2)} before, ${loadAfter.toFixed(2)} after.`,
    ].join("\n\n");
}
