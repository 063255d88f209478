import { isDeepStrictEqual } from "node:util";
import { loadContract, type Schema } from "../contract";
import { describedAnswers } from "../description";
import { isObject } from "../schema";

// What the published description allows an answer to say of each member. The contract has what its absence means.

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The schemas of a value in an answer, in the description and in the contract. */
export interface Schemas {
    readonly described: Schema;
    readonly contract: Schema;
}

/** The schemas of a part of a value. */
export const partOf = (of: Schemas, get: (schema: Schema) => Schema | undefined): Schemas => ({
    described: get(of.described) ?? {},
    contract: get(of.contract) ?? {},
});

/** A word that no enumeration has. */
export const unknownWord = "VALUE_OF_THE_FUTURE";

/** What an answer can say in place of the value of a member, and whether the description allows it. */
const sayings: Readonly<
    Record<string, { fits: (of: Schemas, isRequired: boolean) => boolean; says: (described: Schema) => unknown }>
> = {
    absent: { fits: (_, isRequired) => !isRequired, says: () => undefined },
    null: { fits: ({ described }) => described.nullable === true, says: () => null },
    empty: { fits: ({ described }) => emptyOf(described) !== undefined, says: emptyOf },
    zero: { fits: ({ described, contract }) => isNone(contract) && isObject(emptyOf(described)), says: zeroOf },
    word: { fits: ({ described }) => described.enum !== undefined, says: () => unknownWord },
};

/** The empty value that the description allows. */
export function emptyOf({ enum: words, format = "password", minLength, properties, required, type }: Schema): unknown {
    if (properties) {
        return required?.length ? undefined : {};
    }
    const isFree = words === undefined && minLength === undefined && format === "password";
    return type === "array" ? [] : type === "string" && isFree ? "" : undefined;
}

function zeroOf({ properties, type }: Schema): unknown {
    return properties
        ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, zeroOf(one)]))
        : type === "string"
          ? ""
          : type === "boolean"
            ? false
            : 0;
}

const meaning = "x-absent-means";
/** Whether the absence of a member means that there is none. */
const isNone = (contract: Schema): boolean => contract[meaning] === null;

/** Whether a value has a described part that is not empty, 0 or false. */
const hasValue = (value: unknown, { properties = {} }: Schema): boolean =>
    isObject(value)
        ? Object.entries(properties).some(([name, described]) => hasValue(value[name], described))
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

/** The schemas of the answer of an operation with this status. */
export function schemasOf(operationId: string, status: number | string): Schemas {
    const one = loadContract().operations.find((operation) => operation.operationId === operationId);
    const { [status]: response = one?.responses.default } = one?.responses ?? {};
    const contract = response?.content?.["application/json"].schema ?? {};
    const answers = describedAnswers.get(`${one?.method} ${one?.path}`);
    return { described: answers?.[status] ?? answers?.[`${String(status)[0]}XX`] ?? {}, contract };
}

/** What is said of a member: `Service.metadata:absent`. */
const ruleOf = ({ title = "Message" }: Schema, name: string, saying: string): string => `${title}.${name}:${saying}`;

/** What the description allows to say of the members of a value, at any depth. */
function rulesIn(of: Schemas): string[] {
    const { properties, required, items } = of.described;
    const ofMembers = Object.keys(properties ?? {}).flatMap((name) => {
        const member = partOf(of, (one) => one.properties?.[name]);
        const { "x-replaced-by": current, minLength } = member.contract;
        const fitting = Object.entries(sayings).filter(([, { fits }]) =>
            fits(member, required?.includes(name) ?? false),
        );
        // A member with two names is one. An id is never empty, also if the description allows it.
        return current !== undefined || minLength !== undefined
            ? []
            : [...fitting.map(([saying]) => ruleOf(of.described, name, saying)), ...rulesIn(member)];
    });
    return items ? [...ofMembers, ...rulesIn(partOf(of, (one) => one.items))] : ofMembers;
}

/** All that the description allows an answer to say of its members, in place of their values. */
export const memberRules: readonly string[] = [
    ...new Set(
        loadContract().operations.flatMap(({ operationId, responses }) =>
            [...Object.keys(responses), "4XX"].flatMap((status) => rulesIn(schemasOf(operationId, status))),
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
    for (const name of Object.keys(of.described.properties ?? {})) {
        const { described, contract } = partOf(of, (one) => one.properties?.[name]);
        // Without any part that it has, there would be none.
        if (isNone(contract) && hasValue(value[name], described) && !hasValue(said[name], described)) {
            result[name] = value[name];
        }
        for (const [saying, { says }] of Object.entries(sayings)) {
            const rule = ruleOf(of.described, contract["x-replaced-by"] ?? name, saying);
            // An empty object says nothing of each of its members.
            const means = saying === "empty" && !isNone(contract) ? {} : contract[meaning];
            const often = saying === "word" ? "sometimes" : absenceOf(value[name], contract, means);
            if (rules.includes(rule) && (often === "always" || (often === "sometimes" && isDrawn(rule)))) {
                result[name] = says(described);
            }
        }
    }
    return result;
}
