import { bodySchemaOf, loadContract, type Operation, type Schema } from "../contract";
import { invalid, notFound } from "../errors";
import type { EmulatorRequest, EmulatorResponse, Exchange } from "../exchange";
import { parsed } from "../faults/answers";
import type { CarryOut } from "../pipeline";
import { isObject, value, type Form } from "../schema";
import { Random } from "../world/random";
import { rules, type Fields, type Rule, type RuleName } from "./rules";

export const ruleNames = Object.keys(rules) as RuleName[];

/** The rules that a seed can draw. They change only what the API says. */
export const drawnRules = ruleNames.filter((name) => !("isOnlyNamed" in rules[name]));

/** A seed draws one of this number of rules, on average. */
const oneIn = 3;

const namesIn = (text: string): string[] => text.split(",").filter((name) => name !== "");

/** A seed, or the names of rules. */
export const dialectForm: Form<number | string> = value(
    `an integer, or names of rules, separated by commas: ${ruleNames.join(", ")}`,
    "number | string",
    (one) =>
        typeof one === "string" ? namesIn(one).every((name) => Object.hasOwn(rules, name)) : Number.isSafeInteger(one),
    (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
);

/** How an API says what is true in the world. */
export class Dialect {
    /** Its rules, in the order in which they are applied. */
    readonly names: readonly RuleName[];
    private readonly rules: readonly Rule[];
    private readonly operations = new Map(loadContract().operations.map((one) => [one.operationId, one]));
    private turn = 0;

    constructor(of: number | string) {
        const random = new Random(Number(of));
        this.names =
            typeof of === "string"
                ? ruleNames.filter((name) => namesIn(of).includes(name))
                : drawnRules.filter(() => random.integer(0, oneIn) === 0);
        this.rules = this.names.map((name) => rules[name]);
    }

    has(...names: readonly RuleName[]): boolean {
        return names.some((name) => this.names.includes(name));
    }

    async intercept({ operationId, request }: Exchange, carryOut: CarryOut): Promise<EmulatorResponse> {
        const operation = this.operations.get(operationId);
        if (this.has("strict") && operation) {
            refuseUnknown(operation, request);
        }
        const response = await carryOut();
        const body = parsed(response);
        this.turn += 1;
        if (response.status >= 400) {
            // The contract has the form of the other errors.
            return response.status >= 500 ? this.inError(response, body) : response;
        }
        const schema = operation?.responses[response.status]?.content?.["application/json"].schema;
        return body === undefined || schema === undefined
            ? response
            : { ...response, body: JSON.stringify(this.said(body, "", schema)) };
    }

    private inError(response: EmulatorResponse, body: unknown): EmulatorResponse {
        const rule = this.rules.find(({ error }) => error);
        if (!isObject(body) || !rule?.error) {
            return response;
        }
        const { type, body: said } = rule.error(body as { code: string; message: string });
        return { ...response, headers: { ...response.headers, "content-type": type }, body: said };
    }

    /** A value in the dialect. That of an object or a list contains values in the dialect. */
    private said(value: unknown, name: string, schema: Schema): unknown {
        if (Array.isArray(value)) {
            let items: readonly unknown[] = value.map((item) => this.said(item, name, schema.items ?? {}));
            for (const { list } of this.rules) {
                items = list?.(items, schema, this.turn) ?? items;
            }
            return items;
        }
        if (isObject(value)) {
            const entries = Object.entries(value);
            let fields: Fields = Object.fromEntries(
                entries.map(([key, inner]) => [key, this.said(inner, key, schema.properties?.[key] ?? {})]),
            );
            for (const { object } of this.rules) {
                fields = object?.(fields, schema) ?? fields;
            }
            return fields;
        }
        return typeof value === "string"
            ? this.rules.reduce((said, { text }) => text?.(said, name, schema) ?? said, value)
            : value;
    }
}

/** Rejects an operation, an input or a value that the reference does not have. */
function refuseUnknown(operation: Operation, request: EmulatorRequest): void {
    if (operation["x-not-in-reference"]) {
        throw notFound(`There is no operation at ${request.path}.`);
    }
    const { properties = {} } = bodySchemaOf(operation) ?? {};
    for (const [name, one] of Object.entries(Object(parsed(request)) as object)) {
        const mark = properties[name]?.["x-not-in-reference"];
        if (mark === true || mark?.includes(one)) {
            throw invalid(`${name} must not be ${JSON.stringify(one)}.`);
        }
    }
}
