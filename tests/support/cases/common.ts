import type { Verification } from "../../../provider/resources/database";
import type { CommonInputs } from "../../../provider/model/resource";
import type { Schemas } from "../../../provider/api/contract";
import { message, type Exercises } from "./exercise";
import type { ChangingOperation, PropertyCase, PropertyCases } from "./property";

type Pooled = Pick<Schemas["Service"], "connection_pooler">;

/** A project that the token of the tests cannot use. */
export const otherProject = "project002";

/** A text whose change replaces the resource, and that the API shows. */
export const fixed = <Value, Item>(
    values: PropertyCase<Value, Item>["values"],
    wire: (item: Item) => unknown,
): PropertyCase<Value, Item> => ({ values, replaces: true, shown: "string", wire });

/** The connection pooler of a database, which these operations turn on and off. */
export const pooler = (on: ChangingOperation, off: ChangingOperation): PropertyCase<boolean, Pooled> => ({
    values: [false, true],
    announced: { [on]: /^connection pooler/, [off]: /^connection pooler/ },
    calls: (_from, to) => [to === true ? on : off],
    shown: "boolean",
    wire: ({ connection_pooler: found }) => found?.endpoint?.host !== undefined,
});

/** The exercises of these operations on the database with this path. */
export const poolerExercises = (on: ChangingOperation, off: ChangingOperation, path: `/${string}`): Exercises => ({
    [on]: { sends: `POST ${path}/enablePooler`, answers: message, sets: { connectionPooler: true } },
    [off]: { after: on, sends: `POST ${path}/disablePooler`, answers: message, sets: { connectionPooler: false } },
});

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
