import { bodySchemaOf, type Contract } from "../contract";
import { requests } from "../controls";
import { settings } from "../kinds";
import type { Form } from "../schema";
import { documentedCpuMillis, parseSize } from "../world/sizes";
import type { Operation, Schema } from "./messages";

/** The operations of the contract and the controls that change something. */
export const changesOf = ({ operations }: Contract): Operation[] =>
    [
        ...operations.map((operation): Operation => {
            const { operationId, method, path, summary, description } = operation;
            const body = bodySchemaOf(operation) as Schema | undefined;
            const { property, set } = settings[operationId] ?? { set: operationId };
            const own = property === undefined ? Object.keys(body?.properties ?? {}) : [property];
            return {
                id: operationId,
                isControl: false,
                method,
                path,
                summary,
                ...(description !== undefined && { description }),
                ...(body && { body }),
                ...(property !== undefined && { property }),
                ...(set === undefined && { properties: own }),
            };
        }),
        ...requests.map(({ name, on, fields }): Operation => {
            const [method = "", path = ""] = on.split(" ");
            const all = Object.entries(fields);
            const properties = Object.fromEntries(all.map(([field, form]) => [field, schemaOf(field, form)]));
            const required = all.filter(([, { isNeeded }]) => isNeeded).map(([field]) => field);
            return {
                id: name,
                isControl: true,
                method,
                path,
                ...(all.length > 0 && { body: { properties, required } }),
            };
        }),
    ].filter(({ method }) => method !== "GET");

const sizes = documentedCpuMillis.map((cpu) => JSON.stringify(parseSize({ cpu_millis: String(cpu) }, "shared")));

/** The schema of a field. The page offers the sizes of the API, although a control accepts all of them. */
const schemaOf = (field: string, { examples, type }: Form<unknown>): Schema => ({
    type,
    ...(examples && { examples: examples.map(String) }),
    ...(field === "size" && { enum: ["shared", ...sizes] }),
});
