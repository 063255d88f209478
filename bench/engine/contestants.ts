import { basename } from "node:path";

/** What the engine runs: a program, with the packages of a checkout. */
export interface Contestant {
    readonly name: string;
    /** The name of a file in `bench/engine/programs`. */
    readonly program: "empty" | "naive" | "services";
    /** The folder of the checkout. */
    readonly root: string;
    /** The package with the class `Service`; absent if the program uses none. */
    readonly package?: "pulumi-clouddb" | "pulumi-clouddb/native";
}

/** The name of the one that all others are compared with. */
export const base = "dynamic provider that does nothing";
/** The dynamic provider of this checkout. */
export const dynamicHost = "this provider";

/** All contestants: the hosts of this checkout, and those of others. */
export const contestantsOf = (root: string, checkouts: readonly string[]): readonly Contestant[] => [
    { name: base, program: "empty", root },
    { name: "naive dynamic provider, 5 s", program: "naive", root },
    ...hostsOf(root, dynamicHost),
    ...checkouts.flatMap((one) => hostsOf(one, basename(one))),
];

const hostsOf = (root: string, name: string): Contestant[] => [
    { name, program: "services", root, package: "pulumi-clouddb" },
    { name: `${name}, plugin`, program: "services", root, package: "pulumi-clouddb/native" },
];
