/** Rules for databases: which sizes are allowed, what a production database requires, and what a preview can refuse. */
import { PolicyPack, type PolicyResourceOptions, type ResourceValidationPolicy } from "@pulumi/policy";

/** The inputs of a service that the rules read. An input that the program leaves out is undefined. */
interface ServiceInputs {
    readonly environment?: string;
    readonly cpuMillis?: number | "shared";
    readonly replicaCount?: number;
    readonly deletionProtection?: boolean;
}

/** The types of a service: of the dynamic provider, and of the native plugin. */
const serviceTypes: readonly string[] = ["pulumi-nodejs:dynamic/clouddb:Service", "clouddb:index:Service"];

/** A rule for the inputs of each service. It returns the violations. */
function serviceRule(
    name: string,
    description: string,
    violations: (service: ServiceInputs, options: PolicyResourceOptions) => readonly string[],
): ResourceValidationPolicy {
    return {
        name,
        description,
        enforcementLevel: "mandatory",
        validateResource: ({ type, props, opts }, reportViolation) => {
            if (serviceTypes.includes(type)) {
                violations(props, opts).forEach((violation) => reportViolation(violation));
            }
        },
    };
}

const allowedCpuMillis: readonly (number | "shared")[] = ["shared", 500, 1000, 2000, 4000];

new PolicyPack("clouddb", {
    policies: [
        serviceRule(
            "production-database",
            "A database with environment PROD is protected and highly available.",
            ({ environment, deletionProtection, replicaCount = 0 }) => [
                ...(environment === "PROD" && deletionProtection !== true ? ["Set deletionProtection: true."] : []),
                ...(environment === "PROD" && replicaCount < 1 ? ["Set replicaCount to at least 1."] : []),
            ],
        ),
        serviceRule(
            "protected-in-previews",
            "A preview refuses to delete a protected database, in every language.",
            ({ deletionProtection }, { protect }) =>
                deletionProtection === false || protect
                    ? []
                    : ["Set Pulumi's option protect: true, or deletionProtection: false."],
        ),
        serviceRule("allowed-sizes", "A database has an allowed size.", ({ cpuMillis }) =>
            cpuMillis === undefined || allowedCpuMillis.includes(cpuMillis)
                ? []
                : [`cpuMillis ${cpuMillis} is not allowed. Use one of ${allowedCpuMillis.join(", ")}.`],
        ),
    ],
});
