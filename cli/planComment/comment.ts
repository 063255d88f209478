import { identityOf, type Diagnostic, type Preview, type Step } from "./preview";

/** The longest comment that GitHub takes is a little longer. */
const longestComment = 60_000;

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

/** A short Markdown comment on a preview: what fails, what hurts, and then each call in order. */
export function planComment(preview: Preview): string {
    const { stack, project } = identityOf(preview.steps[0]?.urn ?? preview.diagnostics[0]?.urn ?? "");
    const changes = preview.steps
        .filter(({ op, urn }) => op in operations && identityOf(urn).type !== "pulumi:pulumi:Stack")
        .map((step) => describe(step, preview.diagnostics))
        .sort((left, right) => rank(left) - rank(right));
    const errors = preview.diagnostics.filter(({ severity }) => severity === "error");
    const where = stack === "" ? "Preview" : `${code(stack)} of ${code(project)}`;
    return joined([
        `<!-- clouddb-plan ${marker(project)}/${marker(stack)} -->`,
        `### ${where}: ${errors.length > 0 ? "the preview failed" : summary(changes)}`,
        ...errors.map((error) => block(withoutSeverity(error))),
        attention(changes),
        ...changes.filter(({ plan, step }) => plan.length > 0 || step.op !== "create").map(section),
    ]);
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

/** What somebody should read before they approve. */
function attention(changes: readonly Change[]): string | undefined {
    const lines = changes.flatMap(({ step, label, plan, warnings }) => {
        const reasons = (step.replaceReasons ?? []).map(code).join(", ");
        return [
            ...(step.op === "delete" ? [`${label} is **deleted**`] : []),
            ...(step.op === "replace"
                ? [`${label} is **replaced**${reasons === "" ? "" : ` because of ${reasons}`}`]
                : []),
            ...plan
                .filter((line) => interruptions.test(line))
                .map((line) => `${label}: ${code(line.replace(/^\d+ /, ""))}`),
            ...warnings.map((line) => `${label}: ${code(line)}`),
        ];
    });
    return lines.length === 0 ? undefined : ["> [!WARNING]", ...lines.map((line) => `> - ${line}`)].join("\n");
}

function section({ step, label, plan }: Change): string {
    const title = `**${label}** is ${operations[step.op] ?? step.op}`;
    return plan.length === 0 ? title : `${title}\n\n${block(plan.join("\n"))}`;
}

const rank = ({ step }: Change): number => Object.keys(operations).indexOf(step.op);

/** Whole parts only, as many as there is room for. */
function joined(parts: readonly (string | undefined)[]): string {
    const whole = parts.filter((part) => part !== undefined);
    let length = 0;
    const fitting = whole.filter((part) => (length += part.length + 2) <= longestComment);
    const left = whole.length - fitting.length;
    return `${[...fitting, ...(left > 0 ? [`… and ${left} more, which the log of the preview shows.`] : [])].join("\n\n")}\n`;
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
