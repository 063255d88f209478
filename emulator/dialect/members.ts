import { isDeepStrictEqual } from "node:util";
import { loadContract, type Schema } from "../contract";
import { described, describedAnswers, type Part } from "../description";
import { isObject, mapped } from "../schema";

// What the published description allows an answer to say of each member. The contract has what its absence means.

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The schemas of a value in an answer, in the description and in the contract. */
export interface Schemas {
    readonly described: Part;
    readonly contract: Schema;
}

export const memberOf = (of: Schemas, name: string): Schemas => ({
    described: described(of.described.fields?.[name] ?? {}),
    contract: of.contract.properties?.[name] ?? {},
});

export const itemOf = ({ described: { items = {} }, contract }: Schemas): Schemas => ({
    described: described(items),
    contract: contract.items ?? {},
});

/** The schemas of the answer of an operation with this status. All errors have the form of those that the description has. */
export function schemasOf(operationId: string, status: number | string): Schemas {
    const one = loadContract().operations.find((operation) => operation.operationId === operationId);
    const { [status]: response = one?.responses.default } = one?.responses ?? {};
    const answers = describedAnswers.get(`${one?.method} ${one?.path}`);
    return {
        described: described(answers?.[status] ?? (Number(status) < 400 ? null : answers?.["4XX"]) ?? {}),
        contract: response?.content?.["application/json"].schema ?? {},
    };
}

/** A word that no enumeration has. */
export const unknownWord = "VALUE_OF_THE_FUTURE";

interface Saying {
    /** Whether the description allows it. */
    readonly fits: (of: Schemas) => boolean;
    readonly says: (described: Part) => unknown;
    /** The rule with which it is said of each optional member that the world does not have. */
    readonly filler?: string;
}

/** What an answer can say in place of the value of a member. */
const sayings: Readonly<Record<string, Saying>> = {
    absent: { fits: (of) => !of.described.required, says: () => undefined },
    null: { fits: (of) => of.described.nullable === true, says: () => null, filler: "nulls" },
    empty: { fits: (of) => emptyOf(of.described) !== undefined, says: emptyOf, filler: "empties" },
    zero: { fits: (of) => isNone(of.contract) && isObject(emptyOf(of.described)), says: zeroOf },
    word: { fits: (of) => of.described.enum !== undefined, says: () => unknownWord },
};

/** The empty value that the description allows. */
function emptyOf({ enum: words, fields, format = "password", minLength, type }: Part): unknown {
    if (fields) {
        return Object.values(fields).some(({ required }) => required) ? undefined : {};
    }
    const isFree = words === undefined && minLength === undefined && format === "password";
    return type === "array" ? [] : type === "string" && isFree ? "" : undefined;
}

const zeros: Fields = { string: "", boolean: false, integer: 0, number: 0 };
function zeroOf({ fields, type = "" }: Part): unknown {
    return fields ? mapped(fields, (one) => zeroOf(described(one))) : zeros[type];
}

const meaning = "x-absent-means";
/** Whether the absence of a member means that there is none. */
const isNone = (contract: Schema): boolean => contract[meaning] === null;

/** Whether a value has a described part that is not empty, 0 or false. */
const hasValue = (value: unknown, { fields = {} }: Part): boolean =>
    isObject(value)
        ? Object.entries(fields).some(([name, one]) => hasValue(value[name], described(one)))
        : Boolean(value);

/** How often an answer may say nothing of a member: all answers together say what the world has. */
type Often = "never" | "sometimes" | "always";

/** A value can be left out if its absence means it. If its absence means nothing, another answer must have it. */
function absenceOf(value: unknown, contract: Schema, means = contract[meaning]): Often {
    if (value === undefined || contract["x-unread"]) {
        return "always";
    }
    if (isObject(value) && isObject(means)) {
        const parts = Object.entries(contract.properties ?? {}).map(([name, one]) => absenceOf(value[name], one));
        return (["never", "sometimes"] as const).find((one) => parts.includes(one)) ?? "always";
    }
    return !(meaning in contract) ? "sometimes" : isDeepStrictEqual(value, means) ? "always" : "never";
}

/** What is said of a member: `Service.metadata:absent`. */
const ruleOf = ({ title = "Message" }: Part, name: string, saying: string): string => `${title}.${name}:${saying}`;

/** What the description allows to say of the members of a value, at any depth. */
function rulesIn(of: Schemas): string[] {
    const ofMembers = Object.keys(of.described.fields ?? {}).flatMap((name) => {
        const member = memberOf(of, name);
        const { "x-replaced-by": current, minLength } = member.contract;
        const fitting = Object.keys(sayings).filter((saying) => sayings[saying]?.fits(member));
        // A member with two names is one. An id is never empty, also if the description allows it.
        return current !== undefined || minLength !== undefined
            ? []
            : [...fitting.map((saying) => ruleOf(of.described, name, saying)), ...rulesIn(member)];
    });
    return of.described.items === undefined ? ofMembers : [...ofMembers, ...rulesIn(itemOf(of))];
}

/** All that the description allows an answer to say of its members, in place of their values. */
export const memberRules: readonly string[] = [
    ...new Set(
        loadContract().operations.flatMap(({ operationId, responses }) =>
            [...Object.keys(responses), "400"].flatMap((status) => rulesIn(schemasOf(operationId, status))),
        ),
    ),
];

/**
 * An object in which these rules replace members. `value` is what the world has, and `isDrawn` decides whether this answer says
 * nothing of a member whose absence means nothing.
 */
export function withoutSome(
    value: Fields,
    said: Fields,
    of: Schemas,
    rules: readonly string[],
    isDrawn: (rule: string) => boolean,
): Fields {
    const result: Record<string, unknown> = { ...said };
    for (const name of Object.keys(of.described.fields ?? {})) {
        const { described: part, contract } = memberOf(of, name);
        // Without any part that it has, there would be none.
        if (isNone(contract) && hasValue(value[name], part) && !hasValue(said[name], part)) {
            result[name] = value[name];
        }
        for (const [saying, { says, filler = "" }] of Object.entries(sayings)) {
            const rule = ruleOf(of.described, contract["x-replaced-by"] ?? name, saying);
            // An empty object says nothing of each of its members.
            const means = saying === "empty" && !isNone(contract) ? {} : contract[meaning];
            // While the other member is shown, an answer without this one says that there is none.
            const isNoneThen = value[name] !== undefined && value[contract["x-none-beside"] ?? ""] !== undefined;
            const often =
                saying === "word" ? "sometimes" : isNoneThen ? "never" : absenceOf(value[name], contract, means);
            const isFilled = value[name] === undefined && !part.required && rules.includes(filler);
            if (
                isFilled ||
                (rules.includes(rule) && (often === "always" || (often === "sometimes" && isDrawn(rule))))
            ) {
                result[name] = says(part);
            }
        }
    }
    return result;
}
