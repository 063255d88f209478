import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { replaced, secretSignature, signatureKey, unknownText } from "../codec";
import { computed } from "../../base/fields";

/** Pulumi's representations of an unknown value: one for each type of which only the type is known. */
const unknownTexts: ReadonlySet<unknown> = new Set([
    unknownText,
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Marks an output: an object with an optional `value`, which may be secret. */
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/** Marks a reference to a resource. */
const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";

type Properties = Readonly<Record<string, unknown>>;

/**
 * Unpacks properties: converts unknown values, unwraps secrets and outputs at any depth, and removes nulls. `stored` keeps those that
 * are properties: a state has null for what is absent. `secrets` has the names of the properties that are or contain secrets.
 */
export function unpack(struct: Struct | undefined) {
    const secrets = new Set<string>();
    const stored = Object.entries((struct?.toJavaScript() ?? {}) as Properties)
        .map(([name, packed]) => [name, plainOf(packed, () => secrets.add(name))] as const)
        .filter(([, value]) => value !== undefined);
    const values = stored.filter(([, value]) => value !== null);
    return { values: Object.fromEntries(values), stored: Object.fromEntries(stored), secrets: [...secrets] };
}

/** Packs encoded properties. */
export function pack(values: Properties): Struct {
    return Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** The plain value of a packed one. */
function plainOf(packed: unknown, onSecret: () => void = () => undefined): unknown {
    return replaced(packed, (value) => {
        const marked = Object(value) as Properties;
        const { [signatureKey]: signature } = marked;
        if (signature === secretSignature || (signature === outputSignature && marked.secret === true)) {
            onSecret();
        }
        switch (signature) {
            case secretSignature:
                return marked.value;
            case outputSignature:
                return "value" in marked ? marked.value : computed;
            case resourceSignature:
                return marked.id;
            default:
                return unknownTexts.has(value) ? computed : value;
        }
    });
}
