import { way } from "../../provider/base/message";
import { CloudDbError } from "../../provider/api/callErrors";
import { utf8 } from "../../provider/api/secretFile";

/** The part of the `pulumi preview --json` output that the comment uses. */
export interface Preview {
    readonly steps: readonly Step[];
    readonly diagnostics: readonly Diagnostic[];
    /** The configuration of the stack. A value that is a secret is `[secret]`. */
    readonly config: Settings;
    /** The number of resources of each operation, including those that a preview of an unchanged stack leaves out. */
    readonly changeSummary: Readonly<Record<string, number>>;
}

export type Settings = Readonly<Record<string, unknown>>;

/** What a preview shows instead of a secret. */
export const secret = "[secret]";

/** The planned operation on one resource. */
export interface Step {
    readonly op: string;
    readonly urn: string;
    /** The properties that force a replacement. */
    readonly replaceReasons?: readonly string[] | null | undefined;
    /** The entry in the state. */
    readonly oldState?: Entry | null | undefined;
    /** The entry that the update would store. */
    readonly newState?: Entry | null | undefined;
}

interface Entry {
    readonly retainOnDelete?: unknown;
    readonly deletedWith?: unknown;
    readonly inputs?: Settings | null | undefined;
    readonly outputs?: { readonly deletionProtection?: unknown } | null | undefined;
}

/** A message about a resource, or about the whole preview if it has no URN. */
export interface Diagnostic {
    readonly urn?: string | undefined;
    readonly message: string;
    readonly severity: string;
}

/** The input is not the output of `pulumi preview --json`. */
export class PreviewFormatError extends CloudDbError {}

/** Parses the output of `pulumi preview --json`. */
export function parsePreview(input: Uint8Array | string): Preview {
    const failed = (what: string) =>
        new PreviewFormatError({
            what,
            ways: [
                way("Continue", "use the standard output of `pulumi preview --json`"),
                way("In Windows PowerShell", "`pulumi preview --json | Out-File -Encoding utf8 FILE`"),
            ],
        });
    if (input.length === 0) {
        throw failed("The input is empty. The preview may have failed to start.");
    }
    const text = utf8(input) ?? "";
    const value = jsonIn(text);
    if (value === undefined && jsonIn(text.split("\n", 1)[0] ?? "") !== undefined) {
        throw new PreviewFormatError({
            what: "The input has one event of the preview in each line.",
            ways: [way("Continue", "unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW, and run the preview again")],
        });
    }
    if (value === undefined) {
        throw failed("The input is not JSON in UTF-8.");
    }
    // The output of a preview that fails early may lack one of the two.
    const parts: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {};
    const steps = parts.steps ?? [];
    const diagnostics = parts.diagnostics ?? [];
    const config = { ...(parts.config as Settings | undefined) };
    const changeSummary = (parts.changeSummary ?? {}) as Preview["changeSummary"];
    const isPreview = ["steps", "diagnostics", "error"].some((part) => part in parts);
    if (!isPreview || !areAll(steps, isStep) || !areAll(diagnostics, isDiagnostic)) {
        throw failed("The input is not a preview.");
    }
    return { steps, diagnostics: [...diagnostics, ...failureOf(parts.error)], config, changeSummary };
}

function jsonIn(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Fails if the preview has not read the resources: it would show no drift. */
export function assertRefreshed({ steps, diagnostics, changeSummary }: Preview): void {
    const hasErrors = diagnostics.some(({ severity }) => severity === "error");
    const existing = Object.entries(changeSummary).reduce(
        (sum, [op, count]) => (op === "create" ? sum : sum + count),
        0,
    );
    // One of them is the stack itself, which no refresh reads.
    if (!hasErrors && existing > 1 && !steps.some(({ op }) => op === "refresh")) {
        throw new PreviewFormatError({
            what: "The preview was made without --refresh, so it cannot show drift.",
            ways: [way("Continue", "use the standard output of `pulumi preview --refresh --run-program --json`")],
        });
    }
}

/** The failure of the command itself. */
function failureOf(error: unknown): Diagnostic[] {
    if (error === undefined || error === null || error === "") {
        return [];
    }
    return [{ severity: "error", message: typeof error === "string" ? error : JSON.stringify(error) }];
}

function areAll<T>(values: unknown, test: (value: unknown) => value is T): values is T[] {
    return Array.isArray(values) && values.every(test);
}

function isStep(value: unknown): value is Step {
    const { op, urn, replaceReasons } = (value ?? {}) as Partial<Step>;
    return typeof op === "string" && typeof urn === "string" && areAll(replaceReasons ?? [], isText);
}

function isDiagnostic(value: unknown): value is Diagnostic {
    const { message, severity, urn = "" } = (value ?? {}) as Partial<Diagnostic>;
    return [message, severity, urn].every(isText);
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}

/** The parts of a URN, which has the form `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
export interface Identity {
    readonly stack: string;
    readonly project: string;
    /** The type without the types of its parents. */
    readonly type: string;
    readonly name: string;
}

export function identityOf(urn: string): Identity {
    const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
    const type = types.slice(types.lastIndexOf("$") + 1);
    return { stack, project, type, name: name.join("::") };
}
