import { unknown } from "../resources/unknown";

/** How Pulumi writes a value that a preview cannot know yet. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Values = Readonly<Record<string, unknown>>;

/** What came from Pulumi, with its mark of unknown values made into ours, at any depth, and nulls taken for absent. */
export function decode(values: Values): Record<string, unknown> {
    return mapValues(values, (value) => (value === unknownText ? unknown : value));
}

/** The other way; what is undefined is left out. */
export function encode(values: object): Record<string, unknown> {
    return mapValues(values as Values, (value) => (value === unknown ? unknownText : value));
}

function mapValues(values: Values, change: (value: unknown) => unknown): Record<string, unknown> {
    const walk = (value: unknown): unknown => {
        if (Array.isArray(value)) {
            return value.map(walk);
        }
        return typeof value === "object" && value !== null ? mapValues(value as Values, change) : change(value);
    };
    return Object.fromEntries(
        Object.entries(values)
            .filter(([, value]) => value !== undefined && value !== null)
            .map(([name, value]) => [name, walk(value)]),
    );
}
