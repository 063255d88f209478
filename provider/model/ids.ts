import { flag, optional, optionalId, pattern, projectField, type Fields, type Test } from "../base/fields";
import type { CommonInputs, Resource } from "./resource";

/** The characters of ids, as an expression and in words. */
type Characters = readonly [expression: string, text: string];

export const digits: Characters = ["\\d+", "digits"];
export const lettersAndDigits: Characters = ["[A-Za-z0-9-]+", "letters, digits and -"];

/** What the ids of a kind define. */
export interface Ids {
    readonly idForm: Resource["identity"]["idForm"];
    /** An input with the id within the parent. */
    readonly own: Test;
    /** The fields of the inputs that every kind has. */
    readonly commonFields: Fields<CommonInputs>;
}

/** The ids of a kind, for example with the form `VPC/PEERING`. `existingId` can leave out the id of the parent. */
export function idsOf(noun: string, form: string, [expression, text]: Characters): Ids {
    const own = form.slice(form.lastIndexOf("/") + 1);
    const whole = form.replace(/\w+/g, expression);
    const short = new RegExp(`^(${expression})$|^${whole}$`);
    const forms = own === form ? "" : ` in the format ${own} or ${form}`;
    const existing = pattern(short, `the id of a ${noun}${forms} (${text})`);
    return {
        idForm: { pattern: new RegExp(`^${whole}$`), description: `${form} (${text})` },
        own: pattern(new RegExp(`^${expression}$`), `the id of a ${noun} (${text})`),
        commonFields: {
            projectId: projectField,
            existingId: optional("ignore", optionalId(existing, "remove it to create a new resource")),
            deletionProtection: optional("stateOnly", flag),
        },
    };
}
