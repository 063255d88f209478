import { bodySchemaOf, type Contract } from "../contract";
import { requests } from "../controls";
import type { Form } from "../schema";
import { isRead } from "../wire";
import type { Operation, Schema } from "./messages";

/** The operations of the contract and the controls that change something. */
export const changesOf = ({ operations }: Contract): Operation[] =>
    [
        ...operations.map((operation): Operation => {
            const { operationId, method, path, summary, description } = operation;
            const body = bodySchemaOf(operation);
            return {
                id: operationId,
                isControl: false,
                method,
                path,
                summary,
                ...(description !== undefined && { description }),
                ...(body && { body }),
            };
        }),
        ...requests.map(({ name, on, fields }): Operation => {
            const [method = "", path = ""] = on.split(" ");
            const all = Object.entries(fields);
            const properties = Object.fromEntries(all.map(([field, form]) => [field, schemaOf(form)]));
            const required = all.filter(([, { isNeeded }]) => isNeeded).map(([field]) => field);
            return {
                id: name,
                isControl: true,
                method,
                path,
                ...(all.length > 0 && { body: { properties, required } }),
            };
        }),
    ].filter(({ method }) => !isRead(method));

/** The schema of a field. The page offers only its examples, although a control accepts other values. */
const schemaOf = ({ examples, type }: Form<unknown>): Schema => ({
    type,
    ...(examples && { enum: examples.map((one) => (typeof one === "string" ? one : JSON.stringify(one))) }),
});
