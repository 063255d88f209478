import fc from "fast-check";

type Json = unknown;
type Container = Record<string, Json>;

/** A change at one place of a response. */
interface Change {
    /** The index of the place, modulo the number of places. */
    place: number;
    does: "drop" | "rename" | "duplicate" | { put: Json };
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** What becomes of the text of a response. `cut` is the length of a truncated one, as a fraction of the whole. */
const texts = {
    whole: (whole: string) => whole,
    truncated: (whole: string, cut: number) => whole.slice(0, Math.floor(whole.length * cut)),
    empty: () => "",
    html: () => "<html><body>It works!</body></html>",
    "trailing text": (whole: string) => `${whole}}`,
    deep: () => nested(100_000),
    null: () => "null",
    "byte order mark": (whole: string) => `\uFEFF${whole}`,
};

/** A change of a response text, as a broken, newer or hostile API could return it. */
export interface Mutation {
    changes: readonly Change[];
    text: keyof typeof texts;
    cut: number;
}

const values: fc.Arbitrary<Json> = fc.oneof(
    fc.constantFrom<Json>(null, "", " ", "..", "a/b", "%2e%2e", "\u0000", "🙂", "x".repeat(100_000)),
    fc.constantFrom<Json>("DELETED", "READY", "active"),
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
        { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(texts).slice(1) as Mutation["text"][])) },
    ),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
});

export function mutate(text: string, { changes, text: how, cut }: Mutation): string {
    const root: Container = { response: text === "" ? null : (JSON.parse(text) as Json) };
    for (const one of changes) {
        apply(root, one);
    }
    const mutated = JSON.stringify(root.response) as string | undefined;
    return texts[how](mutated ?? "", cut);
}

function apply(root: Container, { place, does }: Change): void {
    const all = placesIn(root);
    const found = all[place % all.length];
    if (!found) {
        return;
    }
    const [container, key] = found;
    if (does === "drop") {
        Reflect.deleteProperty(container, key);
    } else if (does === "rename") {
        container[`${key}_`] = container[key];
        Reflect.deleteProperty(container, key);
    } else if (does === "duplicate") {
        container[key] = [container[key], structuredClone(container[key])];
    } else {
        container[key] = structuredClone(does.put);
    }
}

/** Every field and element, with its container. */
function placesIn(container: Container): [Container, string][] {
    return Object.entries(container).flatMap(([key, value]): [Container, string][] => [
        [container, key],
        ...(typeof value === "object" && value !== null ? placesIn(value as Container) : []),
    ]);
}
