import { bodySchemaOf, loadContract } from "../contract";
import { invalid, notFound } from "../errors";
import type { EmulatorRequest, EmulatorResponse, Exchange } from "../exchange";
import { parsed } from "../faults/answers";
import type { CarryOut } from "../pipeline";
import { isObject, mapped, value, type Form } from "../schema";
import { Random } from "../world/random";
import type { OperationId } from "../wire";
import { itemOf, memberOf, memberRules, schemasOf, withoutSome, type Fields, type Schemas } from "./members";
import { otherStatuses, rules, type Rule, type RuleName } from "./rules";

/** The rules that apply anywhere, and those of single members. A seed draws one of this number of them, on average. */
const oneIn = { anywhere: 4, member: 20 };
/** A member whose absence means nothing is left out of one of this number of answers, on average. */
const leftOutOneIn = 3;

export const ruleNames = Object.keys(rules);
const allNames = [...ruleNames, ...memberRules];
const ofName: Readonly<Record<string, Rule>> = rules;
const isOnlyNamed = (name: string): boolean => ofName[name]?.isOnlyNamed ?? false;

/** The rules that a seed can draw. They change only what the API says. */
export const drawnRules = allNames.filter((name) => !isOnlyNamed(name));

const namesIn = (text: string): string[] => text.split(",").filter((name) => name !== "");

/** A seed, or the names of rules. */
export const dialectForm: Form<number | string> = value(
    `an integer, or names of rules, separated by commas: ${ruleNames.join(", ")}, and what the published description allows, such as ${String(memberRules[0])}`,
    "number | string",
    (one) =>
        typeof one === "string" ? namesIn(one).every((name) => allNames.includes(name)) : Number.isSafeInteger(one),
    (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
);

/** How an API says what is true in the world. */
export class Dialect {
    /** Its rules, in the order in which they are applied. */
    readonly names: readonly string[];
    private readonly rules: readonly Rule[];
    private turn = 0;

    constructor(of: number | string) {
        const random = new Random(Number(of));
        const isIn = (name: string): boolean =>
            typeof of === "string"
                ? namesIn(of).includes(name)
                : !isOnlyNamed(name) && random.integer(0, name in rules ? oneIn.anywhere : oneIn.member) === 0;
        this.names = allNames.filter(isIn);
        this.rules = this.names.flatMap((name) => ofName[name] ?? []);
    }

    has(...names: readonly RuleName[]): boolean {
        return names.some((name) => this.names.includes(name));
    }

    async intercept(
        { operationId, request }: Pick<Exchange, "operationId" | "request">,
        carryOut: CarryOut,
    ): Promise<EmulatorResponse> {
        if (this.has("strict")) {
            refuseUnknown(operationId, request);
        }
        const { status, ...response } = await carryOut();
        const body = parsed(response);
        this.turn += 1;
        return {
            ...response,
            status: this.has("statuses-other") ? (otherStatuses[status] ?? status) : status,
            ...(body !== undefined && { body: JSON.stringify(this.said(body, schemasOf(operationId, status))) }),
        };
    }

    /** A value in the dialect. That of an object or a list contains values in the dialect. */
    private said(value: unknown, of: Schemas, name = ""): unknown {
        const inner = Array.isArray(value)
            ? value.map((item) => this.said(item, itemOf(of), name))
            : isObject(value)
              ? this.withoutSome(value, of)
              : value;
        return this.rules.reduce((said, { say }) => (say ? say(said, of, name, this.turn) : said), inner);
    }

    private withoutSome(fields: Fields, of: Schemas): Fields {
        const said = mapped(fields, (inner, key) => this.said(inner, memberOf(of, key), key));
        return withoutSome(fields, said, of, this.names, (rule) => this.isDrawn(rule));
    }

    /**
     * Whether this answer leaves the member out. Only its number decides, so that a wait ends in whatever order its reads come.
     * An error leaves it out always: nothing waits for a member of an error.
     */
    private isDrawn(rule: string): boolean {
        const number = this.turn * allNames.length + allNames.indexOf(rule);
        return rule.startsWith("Error.") || new Random(number).integer(0, leftOutOneIn) === 0;
    }
}

/** Rejects an operation, an input or a value that the reference does not have. */
function refuseUnknown(operationId: OperationId, request: EmulatorRequest): void {
    const operation = loadContract().operations.find((one) => one.operationId === operationId);
    if (operation?.["x-not-in-reference"]) {
        throw notFound(`There is no operation at ${request.path}.`);
    }
    const { properties = {} } = (operation && bodySchemaOf(operation)) ?? {};
    for (const [name, one] of Object.entries(Object(parsed(request)) as object)) {
        const mark = properties[name]?.["x-not-in-reference"];
        if (mark === true || mark?.includes(one)) {
            throw invalid(`${name} must not be ${JSON.stringify(one)}.`);
        }
    }
}
