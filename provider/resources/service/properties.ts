import type { Schemas, Service } from "../../api/contract";
import { present } from "../../contract/outputs";
import { property } from "../property";

// The inputs that one operation sets. `fields` has the tests of their values.

export const properties = {
    /** The environment tag: `DEV` or `PROD`. */
    environment: property({
        read: ({ metadata }: Service): string => metadata?.environment ?? "DEV",
        output: present,
        byDefault: "DEV",
        set: (environment) => ({
            operation: "setEnvironment",
            body: { environment: environment as Schemas["EnvironmentTag"] },
        }),
        text: "environment",
    }),
};
