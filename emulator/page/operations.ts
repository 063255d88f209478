import { bodySchemaOf, type Contract } from "../contract";
import { requests } from "../controls";
import { mapped, type Form } from "../schema";
import { isRead } from "../wire";
import type { Operation, Schema } from "./messages";

/** The operations of the contract and the controls that change something. */
export const changesOf = ({ operations }: Contract): Operation[] =>
    [
        ...operations.map((operation): Operation => {
            const { operationId: id, method, path, summary, description } = operation;
            return { id, isControl: false, method, path, summary, description, body: bodySchemaOf(operation) };
        }),
        ...requests.map(({ name: id, on, fields }): Operation => {
            const [method = "", path = ""] = on.split(" ");
            const names = Object.keys(fields);
            const body = {
                properties: mapped(fields, schemaOf),
                required: names.filter((one) => fields[one]?.isNeeded),
            };
            return { id, isControl: true, method, path, body: names.length > 0 ? body : undefined };
        }),
    ].filter(({ method }) => !isRead(method));

/** The schema of a field. The page offers only its examples, although a control accepts other values. */
const schemaOf = ({ examples, type }: Form<unknown>): Schema => ({
    type,
    ...(examples && { enum: examples.map((one) => (typeof one === "string" ? one : JSON.stringify(one))) }),
});
