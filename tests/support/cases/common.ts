import type { Verification } from "../../../provider/resources/database";
import type { CommonInputs } from "../../../provider/model/resource";
import type { PropertyCase, PropertyCases } from "./property";

/** A project that the token of the tests cannot use. */
export const otherProject = "project002";

/** A text whose change replaces the resource, and that the API shows. */
export const fixed = <Value, Item>(
    values: PropertyCase<Value, Item>["values"],
    wire: (item: Item) => unknown,
): PropertyCase<Value, Item> => ({ values, replaces: true, shown: "string", wire });

export const project: PropertyCases<Pick<CommonInputs, "projectId">, unknown> = {
    projectId: { values: [undefined, otherProject], replaces: true },
};

/** The inputs that most kinds have. */
export const common: PropertyCases<CommonInputs, unknown> = {
    ...project,
    // Only a creation reads it.
    existingId: { values: ({ itself }) => [undefined, itself], isIgnored: true },
    deletionProtection: { values: [false, true] },
};

export const verification: PropertyCases<Verification, unknown> = {
    sslMode: { values: ["require", "verify-full"] },
    sslRootCert: { values: ["/etc/ca.pem", "system"] },
};

/** The types of the outputs that describe the endpoints of a database. */
export const endpoints = { host: "string?", port: "number?", poolerHost: "string?", poolerPort: "number?" };
