import fc from "fast-check";

type Json = unknown;
type Container = Record<string, Json>;

/** A change of one place of an answer. */
interface Change {
    /** Which of all the places; taken modulo their number. */
    place: number;
    does: "drop" | "rename" | "duplicate" | { put: Json };
}

/** An answer as it could come from a broken, newer or hostile service: as text. */
export interface Mutation {
    changes: readonly Change[];
    text: "whole" | "truncated" | "empty" | "html" | "more behind" | "deep" | "null" | "byte order mark";
    /** Where it is cut, as a part of its length. */
    cut: number;
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const values: fc.Arbitrary<Json> = fc.oneof(
    fc.constantFrom<Json>(
        null,
        "",
        " ",
        "..",
        "a/b",
        "%2e%2e",
        "\u0000",
        "🙂",
        "DELETED",
        "READY",
        "active",
        "x".repeat(100_000),
    ),
    fc.constantFrom<Json>(0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, true, false, [], {}, [[]], [null], [{}]),
    fc.constantFrom<Json>({ id: "1" }, { toString: "no" }, { constructor: 1 }, { length: 1 }, JSON.parse(nested(500))),
    fc.jsonValue({ maxDepth: 3 }),
);

const change: fc.Arbitrary<Change> = fc.record({
    place: fc.nat(),
    does: fc.oneof(
        fc.constantFrom("drop" as const, "rename" as const, "duplicate" as const),
        fc.record({ put: values }),
    ),
});

export const mutations: fc.Arbitrary<Mutation> = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    text: fc.oneof(
        { weight: 9, arbitrary: fc.constant("whole" as const) },
        {
            weight: 1,
            arbitrary: fc.constantFrom("truncated", "empty", "html", "more behind", "deep", "null", "byte order mark"),
        },
    ),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The text of an answer after a mutation of it. */
export function mutate(text: string, { changes, text: how, cut }: Mutation): string {
    const root: Container = { answer: text === "" ? null : (JSON.parse(text) as Json) };
    for (const one of changes) {
        apply(root, one);
    }
    const mutated = JSON.stringify(root.answer) as string | undefined;
    const whole = mutated ?? "";
    switch (how) {
        case "whole":
            return whole;
        case "truncated":
            return whole.slice(0, Math.floor(whole.length * cut));
        case "empty":
            return "";
        case "html":
            return "<html><body>It works!</body></html>";
        case "more behind":
            return `${whole}}`;
        case "deep":
            return nested(100_000);
        case "null":
            return "null";
        case "byte order mark":
            return `\uFEFF${whole}`;
    }
}

function apply(root: Container, { place, does }: Change): void {
    const all = placesIn(root);
    const found = all[place % all.length];
    if (!found) {
        return;
    }
    const [holder, key] = found;
    if (does === "drop") {
        Reflect.deleteProperty(holder, key);
    } else if (does === "rename") {
        holder[`${key}_`] = holder[key];
        Reflect.deleteProperty(holder, key);
    } else if (does === "duplicate") {
        holder[key] = [holder[key], structuredClone(holder[key])];
    } else {
        holder[key] = structuredClone(does.put);
    }
}

/** Every field and element, with what holds it. */
function placesIn(holder: Container): [Container, string][] {
    return Object.entries(holder).flatMap(([key, value]): [Container, string][] => [
        [holder, key],
        ...(typeof value === "object" && value !== null ? placesIn(value as Container) : []),
    ]);
}
