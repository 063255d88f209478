import { identityOf, type Diagnostic, type Preview, type Step } from "./preview";

/** The longest comment that GitHub takes is a little longer. */
const longestComment = 60_000;
/** The longest list of deletions and replacements in full, and the longest list of warnings. */
const longestList = 15_000;

/** Words of a plan that mean that connections end. */
const interruptions = /\b(restarts the service|connections end)\b/;

/** How each operation is called, in the order of concern; those that are not here change nothing. */
const operations: Readonly<Record<string, string>> = {
    delete: "deleted",
    replace: "replaced",
    update: "changed",
    create: "created",
    import: "imported",
    read: "read",
};

/** A resource that changes, with what is said of it. */
interface Change {
    readonly step: Step;
    readonly label: string;
    /** The numbered calls. */
    readonly plan: readonly string[];
    readonly warnings: readonly string[];
}

/** What drift means and what to do about it. */
const driftAdvice =
    "The platform differs from the program. `pulumi up` reverts these changes; to keep one, put it into the program.";

/** A short Markdown comment on a preview: what fails, what hurts, and then each call in order. */
export function planComment(preview: Preview): string {
    return report(preview, "plan");
}

/** The same of `pulumi preview --refresh`, for an issue; empty where there is no drift. */
export function driftReport(preview: Preview): string {
    const hasErrors = preview.diagnostics.some(({ severity }) => severity === "error");
    return hasErrors || changesOf(preview).length > 0 ? report(preview, "drift") : "";
}

function changesOf({ steps, diagnostics }: Preview): Change[] {
    return steps
        .filter(({ op, urn }) => op in operations && identityOf(urn).type !== "pulumi:pulumi:Stack")
        .map((step) => describe(step, diagnostics))
        .sort((left, right) => rank(left) - rank(right));
}

function report(preview: Preview, kind: "plan" | "drift"): string {
    const { stack, project } = identityOf(preview.steps[0]?.urn ?? preview.diagnostics[0]?.urn ?? "");
    const changes = changesOf(preview);
    const errors = preview.diagnostics.filter(({ severity }) => severity === "error");
    const where = stack === "" ? "Preview" : `${code(stack)} of ${code(project)}`;
    const head = [
        `<!-- clouddb-${kind} ${marker(project)}/${marker(stack)} -->`,
        `### ${where}: ${kind === "drift" ? "drift, " : ""}${errors.length > 0 ? "the preview failed" : summary(changes)}`,
        ...(kind === "drift" && errors.length === 0 ? [driftAdvice] : []),
    ];
    const losses = attention(changes);
    const kept = [...head, ...(losses === undefined ? [] : [losses])];
    const room = longestComment - lengthOf(kept);
    const messages = fitting(
        errors.map((error) => block(withoutSeverity(error))),
        room,
    );
    const sections = fitting(
        changes.filter(({ plan, step }) => plan.length > 0 || step.op !== "create").map(section),
        room - lengthOf(messages.parts),
    );
    const left = messages.left + sections.left;
    const more = left > 0 ? [`… and ${left} more, which the log of the preview shows.`] : [];
    const parts = [...head, ...messages.parts, ...(losses === undefined ? [] : [losses]), ...sections.parts, ...more];
    return `${parts.join("\n\n")}\n`;
}

function describe(step: Step, diagnostics: readonly Diagnostic[]): Change {
    const { type, name } = identityOf(step.urn);
    const lines = (severity: string) =>
        diagnostics
            .filter((one) => one.urn === step.urn && one.severity === severity)
            .flatMap((one) => withoutSeverity(one).split("\n"));
    return {
        step,
        label: `${type.includes(":") ? code(type) : type} ${code(name)}`,
        plan: lines("info").filter((line) => /^\d+ /.test(line)),
        warnings: [...new Set(lines("warning"))],
    };
}

function summary(changes: readonly Change[]): string {
    const counts = Object.entries(operations)
        .map(([op, word]) => [changes.filter(({ step }) => step.op === op).length, word] as const)
        .filter(([count]) => count > 0)
        .map(([count, word]) => `${count} ${word}`);
    return counts.join(", ") || "no changes";
}

/** What somebody should read before they approve: every deletion and replacement, then warnings as far as there is room. */
function attention(changes: readonly Change[]): string | undefined {
    const warnings = changes.flatMap(({ label, plan, warnings }) => [
        ...plan
            .filter((line) => interruptions.test(line))
            .map((line) => `${label}: ${code(line.replace(/^\d+ /, ""))}`),
        ...warnings.map((line) => `${label}: ${code(line)}`),
    ]);
    const { parts, left } = fitting(warnings, longestList);
    const more = left > 0 ? [`… and ${left} more warnings, which the log of the preview shows.`] : [];
    const lines = [...lossesOf(changes), ...parts, ...more];
    return lines.length === 0 ? undefined : ["> [!WARNING]", ...lines.map((line) => `> - ${line}`)].join("\n");
}

/** Each deletion and replacement in a line of its own, or, where that is too long, only the names, by type. */
function lossesOf(changes: readonly Change[]): string[] {
    const losses = changes.filter(({ step: { op } }) => op === "delete" || op === "replace");
    const lines = losses.map(({ step, label }) => {
        const reasons = (step.replaceReasons ?? []).map(code).join(", ");
        return `${label} is **${operations[step.op] ?? step.op}**${reasons === "" ? "" : ` because of ${reasons}`}`;
    });
    if (lengthOf(lines) <= longestList) {
        return lines;
    }
    const byType = new Map<string, string[]>();
    for (const { step } of losses) {
        const { type, name } = identityOf(step.urn);
        const key = `${type} **${operations[step.op] ?? step.op}**`;
        byType.set(key, [...(byType.get(key) ?? []), code(name)]);
    }
    return [...byType].map(([key, names]) => `${names.length} ${key}: ${names.join(", ")}`);
}

function section({ step, label, plan }: Change): string {
    const title = `**${label}** is ${operations[step.op] ?? step.op}`;
    return plan.length === 0 ? title : `${title}\n\n${block(plan.join("\n"))}`;
}

const rank = ({ step }: Change): number => Object.keys(operations).indexOf(step.op);

const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + part.length + 2, 0);

/** Whole parts only, as many as there is room for, and how many are left out. */
function fitting(parts: readonly string[], room: number): { readonly parts: readonly string[]; readonly left: number } {
    let length = 0;
    const some = parts.filter((part) => (length += part.length + 2) <= room);
    return { parts: some, left: parts.length - some.length };
}

function withoutSeverity({ message, severity }: Diagnostic): string {
    return message.trim().replace(new RegExp(`^${severity}: `), "");
}

/** Text of others, in which nothing is markup. */
function code(text: string): string {
    return `\`${text.replaceAll("`", "'").replace(/\s+/g, " ")}\``;
}

function block(text: string): string {
    const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `${fence}text\n${text}\n${fence}`;
}

/** Text that cannot end the comment that hides it. */
const marker = (text: string): string => text.replace(/[^\w./-]/g, "_");
