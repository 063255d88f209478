import fc from "fast-check";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ServiceInputs } from "../../provider/resources/service/service";

/** The number of cases for each property. `.ci/run release` runs more. */
export const propertyRuns = Number(process.env.CLOUDDB_PROPERTY_RUNS ?? 30);

/** A part of each password that is only in an environment variable. */
export const outside = "password-outside-";
const passwordVariables = ["CLOUDDB_TEST_PASSWORD_1", "CLOUDDB_TEST_PASSWORD_2"];
passwordVariables.forEach((name, index) => (process.env[name] = `${outside}${index}`));

/** Sizes that the API accepts. */
const sizes = fc.constantFrom(
    {},
    { cpuMillis: 500, memoryGbs: 2 },
    { cpuMillis: 1000, memoryGbs: 4 },
    { cpuMillis: 2000, memoryGbs: 8 },
    { cpuMillis: 4000 },
    { memoryGbs: 4 },
    { cpuMillis: "shared", memoryGbs: "shared" } as const,
);

const availability = fc.constantFrom(
    {},
    { replicaCount: 0 },
    { replicaCount: 1 },
    { replicaCount: 2 },
    { replicaCount: 2, syncReplicaCount: 1 },
    { replicaCount: 2, syncReplicaCount: 0 },
);

/** The password, in the state or outside of it. */
const passwords = fc.oneof(
    fc.constantFrom({}, { password: "first-password" }, { password: "second-password" }),
    fc.record({
        passwordVariable: fc.constantFrom(...passwordVariables),
        passwordVersion: fc.integer({ min: 1, max: 2 }),
    }),
);

/** Arbitrary values of all inputs except these. A new input does not compile until it has values or is one of these. */
type Independent<Inputs, Others extends keyof Inputs> = Readonly<
    Record<Exclude<keyof Inputs, Others>, fc.Arbitrary<unknown>>
>;

/** The inputs of a replacement or a creation, and those in `sizes`, `availability` and `passwords`. */
type OtherServiceInputs =
    | ("projectId" | "existingId" | "name" | "regionCode" | "addons" | "fork")
    | ("cpuMillis" | "memoryGbs" | "replicaCount" | "syncReplicaCount")
    | ("password" | "passwordFile" | "passwordVariable" | "passwordVersion");
type OtherReplicaSetInputs =
    ("projectId" | "existingId" | "deletionProtection" | "serviceId" | "name") | ("cpuMillis" | "memoryGbs" | "nodes");

const verification = {
    sslMode: fc.constantFrom("require" as const, "verify-full" as const),
    sslRootCert: fc.constantFrom("/etc/ca.pem", "system"),
};

/** The inputs of a service that change in place, declared or omitted. */
export function serviceStates(vpcIds: readonly string[]): fc.Arbitrary<ServiceInputs> {
    const rest = fc.record(
        {
            vpcId: fc.constantFrom(...vpcIds),
            environment: fc.constantFrom("DEV" as const, "PROD" as const),
            connectionPooler: fc.boolean(),
            paused: fc.boolean(),
            deletionProtection: fc.boolean(),
            finalFork: fc.boolean(),
            ...verification,
        } satisfies Independent<ServiceInputs, OtherServiceInputs>,
        { requiredKeys: [] },
    );
    return fc
        .tuple(sizes, availability, passwords, rest)
        .map(([size, ha, password, others]) => ({ ...size, ...ha, ...password, ...others }));
}

/** The inputs of a read replica set that change in place. */
export const replicaSetStates: fc.Arbitrary<Omit<ReadReplicaSetInputs, "serviceId">> = fc
    .tuple(
        fc.constantFrom([500, 2], [1000, 4], [2000, 8]),
        fc.integer({ min: 1, max: 4 }),
        fc.record(
            {
                connectionPooler: fc.boolean(),
                environment: fc.constantFrom("DEV" as const, "PROD" as const),
                password: fc.constantFrom("first-password", "second-password"),
                ...verification,
            } satisfies Independent<ReadReplicaSetInputs, OtherReplicaSetInputs>,
            { requiredKeys: [] },
        ),
    )
    .map(([[cpuMillis = 500, memoryGbs = 2], nodes, others]) => ({ cpuMillis, memoryGbs, nodes, ...others }));
