import { secretSignature, signatureKey, unknownText } from "../codec";
import { outputSignature, unknownTexts } from "./values";

type Members = Readonly<Record<string, unknown>>;

/** A value of a program that is not plain: it is or contains an output, a secret or an unknown value. */
export class ProgramOutput {
    /**
     * The value is in Pulumi's encoding, in which secrets and unknown values are marked. The dependencies are the URNs of
     * the resources on which it depends.
     */
    constructor(
        readonly packed: unknown,
        readonly dependencies: readonly string[],
    ) {}

    /** A value that follows from this one. It is as secret, and unknown as long. */
    map(change: (known: unknown) => unknown): ProgramOutput {
        return new ProgramOutput(mapped(this.packed, change), this.dependencies);
    }
}

function mapped(packed: unknown, change: (known: unknown) => unknown): unknown {
    if (unknownTexts.has(packed)) {
        return packed;
    }
    return isSecret(packed) ? { ...packed, value: mapped(packed.value, change) } : change(packed);
}

function isSecret(packed: unknown): packed is { readonly value: unknown } {
    return typeof packed === "object" && packed !== null && Reflect.get(packed, signatureKey) === secretSignature;
}

/** Marks a packed value as secret. */
export function secret(packed: unknown): unknown {
    return isSecret(packed) ? packed : { [signatureKey]: secretSignature, value: packed };
}

/** Unpacks an input of a component. */
export function programValue(packed: unknown, dependencies: readonly string[] = []): unknown {
    const urns = new Set(dependencies);
    const found = { isOutput: urns.size > 0 };
    const value = withoutOutputs(packed, (more) => {
        found.isOutput = true;
        more.forEach((urn) => urns.add(urn));
    });
    return found.isOutput ? new ProgramOutput(value, [...urns]) : value;
}

/** The encoding of a value, in which custom resources get it: without the marks of outputs. */
function withoutOutputs(packed: unknown, onOutput: (dependencies: readonly string[]) => void): unknown {
    if (unknownTexts.has(packed)) {
        onOutput([]);
    }
    if (typeof packed !== "object" || packed === null) {
        return packed;
    }
    if (Array.isArray(packed)) {
        return packed.map((item) => withoutOutputs(item, onOutput));
    }
    const { [signatureKey]: signature, ...members } = packed as Members;
    if (signature === outputSignature) {
        onOutput((members.dependencies ?? []) as readonly string[]);
        const value = "value" in members ? withoutOutputs(members.value, onOutput) : unknownText;
        return members.secret === true ? secret(value) : value;
    }
    if (signature === secretSignature) {
        onOutput([]);
    }
    return Object.fromEntries(
        Object.entries(packed).map(([name, value]) => [name, withoutOutputs(value, onOutput)] as const),
    );
}

/** The members of a map, each unpacked. Undefined if the value is not a map or unknown. */
export function membersOf(
    packed: unknown,
    dependencies: readonly string[] = [],
    mark: (member: unknown) => unknown = (member) => member,
): Members | undefined {
    if (typeof packed !== "object" || packed === null || Array.isArray(packed)) {
        return undefined;
    }
    const { [signatureKey]: signature, ...members } = packed as Members;
    if (signature === undefined) {
        const unpacked = Object.entries(members).map(([name, member]) => [
            name,
            programValue(mark(member), dependencies),
        ]);
        return Object.fromEntries(unpacked) as Members;
    }
    const isMarked = signature === secretSignature || members.secret === true;
    const more = (members.dependencies ?? []) as readonly string[];
    return membersOf(members.value, [...dependencies, ...more], isMarked ? secret : mark);
}
