/** The part of what `pulumi preview --json` prints that is of use here. */
export interface Preview {
    readonly steps: readonly Step[];
    readonly diagnostics: readonly Diagnostic[];
}

/** What would become of one resource. */
export interface Step {
    readonly op: string;
    readonly urn: string;
    /** The properties that force a replacement. */
    readonly replaceReasons?: readonly string[] | null;
}

/** A message about a resource, or about the whole where there is no URN. */
export interface Diagnostic {
    readonly urn?: string;
    readonly message: string;
    readonly severity: string;
}

/** The input is not what `pulumi preview --json` prints. */
export class PreviewFormatError extends Error {}

/** Reads what `pulumi preview --json` printed. */
export function parsePreview(text: string): Preview {
    const hint = "give it what `pulumi preview --json` prints on stdout";
    if (text.trim() === "") {
        throw new PreviewFormatError(`The input is empty; ${hint}. Did the preview end before it began?`);
    }
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch {
        throw new PreviewFormatError(`The input is not JSON; ${hint}.`);
    }
    // A preview that fails early may have but one of the two.
    if (typeof value !== "object" || value === null || !("steps" in value || "diagnostics" in value)) {
        throw new PreviewFormatError(`The input is not a preview; ${hint}.`);
    }
    const { steps = [], diagnostics = [] } = value as { steps?: unknown; diagnostics?: unknown };
    if (!areAll(steps, isStep) || !areAll(diagnostics, isDiagnostic)) {
        throw new PreviewFormatError(`The input is not a preview; ${hint}.`);
    }
    return { steps, diagnostics };
}

function areAll<T>(values: unknown, test: (value: unknown) => value is T): values is T[] {
    return Array.isArray(values) && values.every(test);
}

function isStep(value: unknown): value is Step {
    const { op, urn } = (value ?? {}) as Partial<Step>;
    return typeof op === "string" && typeof urn === "string";
}

function isDiagnostic(value: unknown): value is Diagnostic {
    const { message, severity } = (value ?? {}) as Partial<Diagnostic>;
    return typeof message === "string" && typeof severity === "string";
}

/** What a URN tells: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
export interface Identity {
    readonly stack: string;
    readonly project: string;
    /** The type alone, without those of its parents; ours by their short names. */
    readonly type: string;
    readonly name: string;
}

export function identityOf(urn: string): Identity {
    const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
    const type = types.slice(types.lastIndexOf("$") + 1).replace(/^pulumi-nodejs:dynamic\/clouddb:/, "");
    return { stack, project, type, name: name.join("::") };
}
