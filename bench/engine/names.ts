/** Environment variables of the processes that the benchmark starts. */
export const variables = {
    kind: "CLOUDDB_BENCH_KIND",
    count: "CLOUDDB_BENCH_COUNT",
    sleepMs: "CLOUDDB_BENCH_SLEEP_MS",
    probe: "CLOUDDB_BENCH_PROBE",
} as const;
