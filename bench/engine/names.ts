// What the benchmark and the processes that it starts have agreed on.

/** Names of environment variables. */
export const kindVariable = "CLOUDDB_BENCH_KIND";
export const countVariable = "CLOUDDB_BENCH_COUNT";
export const sleepVariable = "CLOUDDB_BENCH_SLEEP_MS";
export const probeVariable = "CLOUDDB_BENCH_PROBE";

/** The name by which a provider process finds the baseline: a link to the folder of this file. */
export const baselineModule = "clouddb-bench";

/** Who is compared: this provider, and one that does nothing. */
export type Contestant = "clouddb" | "idler";
