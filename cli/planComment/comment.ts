import { casesPage, singleFile } from "../../provider/base/installation";
import { printable } from "../../provider/base/message";
import { isDisruptive } from "../../provider/model/step";
import { addsAlias } from "../../provider/lifecycle/messages";
import type { ProviderInputs } from "../../provider/api/settings";
import { kinds } from "../../provider/resources/index";
import { kindOf } from "../types";
import { identityOf, secret, type Diagnostic, type Preview, type Settings, type Step } from "./preview";

/** The maximum length of a comment in characters. It is below GitHub's limit of 65,536. */
const longestComment = 60_000;
/** A longer list of deletions and replacements is grouped by type. Also the maximum length of the list of warnings. */
const longestList = 15_000;
/** The maximum length of the deletions and replacements that are grouped by type. */
const longestNames = 48_000;
/** The maximum length of one error. */
const longestError = 8_000;
/** The room that is always left for errors, so that at least the first one is shown. */
const roomForErrors = 9_000;
/** The maximum length of a name or a warning. */
const longestCode = 1_000;
/** The maximum length of a setting. */
const longestSetting = 200;

/** The label of each operation, most severe first. Operations that are not listed here change nothing. */
const operations: Readonly<Record<string, string>> = {
    delete: "deleted",
    replace: "replaced",
    update: "changed",
    create: "created",
    import: "imported",
    read: "read",
};

/** A change of a resource, with its messages. All texts are Markdown, except for those of the messages. */
interface Change {
    readonly op: string;
    /** The type, if it is one of this package. */
    readonly type: string | undefined;
    readonly kind: string;
    readonly name: string;
    readonly result: string;
    /** Whether the state forbids a deletion or a replacement, and it fails. */
    readonly isRefused: boolean;
    /** Why a resource is replaced, as the end of a sentence. */
    readonly because: string;
    /** What a deletion or replacement does with the data, or what a refused one leaves. Empty for a resource without data. */
    readonly fate: string;
    /** The numbered API calls, and remarks. */
    readonly plan: readonly string[];
    readonly warnings: readonly string[];
}

const driftAdvice =
    "The platform differs from the program. `pulumi up --refresh` reverts these changes. To keep a change, add it to the program.";

/** Nobody who reads a comment has the files of the runner. */
const page = singleFile === undefined ? casesPage : '"Protect a database", protection.md in the archive of the plugin';

/** Beside a refused deletion. Pulumi recommends the command in its own message, and a destroy then deletes replica sets. */
const refusalAdvice = `The ways out: ${page}. Pulumi's \`state unprotect\` is not one of them.`;

/** A short Markdown comment on a preview: errors, then disruptive changes and warnings, then each API call in order. */
export function planComment(preview: Preview): string {
    return report(preview, "plan");
}

/** The text of an issue about drift, from `pulumi preview --refresh`. Empty if there is no drift. */
export function driftReport(preview: Preview): string {
    const hasErrors = preview.diagnostics.some(({ severity }) => severity === "error");
    return hasErrors || changesOf(preview).length > 0 ? report(preview, "drift") : "";
}

function changesOf({ steps, diagnostics }: Preview): Change[] {
    const created = steps.filter(({ op, urn }) => op === "create" && definitionOf(urn)?.hasData === true);
    const deleted = steps.filter(({ op }) => op === "delete").map(({ urn }) => urn);
    return steps
        .filter(({ op, urn }) => Object.hasOwn(operations, op) && identityOf(urn).type !== "pulumi:pulumi:Stack")
        .map((step) => describe(step, diagnostics, created, deleted))
        .sort((left, right) => rank(left) - rank(right));
}

function report(preview: Preview, kind: "plan" | "drift"): string {
    const { stack, project } = identityOf(preview.steps[0]?.urn ?? preview.diagnostics[0]?.urn ?? "");
    const changes = changesOf(preview);
    const errors = preview.diagnostics.filter(({ severity }) => severity === "error");
    const subject = stack === "" ? "Preview" : `${code(stack)} of ${code(project)}`;
    const head = [
        `<!-- clouddb-${kind} ${marker(project)}/${marker(stack)} -->`,
        addressLine(preview),
        `### ${subject}: ${kind === "drift" ? "drift, " : ""}${errors.length > 0 ? "the preview failed" : summary(changes)}`,
        ...(kind === "drift" && errors.length === 0 ? [driftAdvice] : []),
    ];
    const reserved = errors.length > 0 ? roomForErrors : 0;
    const risks = riskSection(changes, tokenWarnings(preview.config), longestComment - lengthOf(head) - reserved);
    const isRefused =
        changes.some((one) => one.isRefused) ||
        errors.some(({ message }) => message.includes("pulumi state unprotect"));
    const advice = [...(risks === undefined ? [] : [risks]), ...(isRefused ? [refusalAdvice] : [])];
    const always = [...head, ...advice];
    const room = longestComment - lengthOf(always);
    const messages = fitting(
        errors.map((error) => block(cut(withoutSeverity(error), longestError).split("\n"))),
        room,
    );
    const sections = fitting(
        changes.filter(({ plan, op }) => plan.length > 0 || op !== "create").map(section),
        room - lengthOf(messages.parts),
    );
    const omitted = messages.omitted + sections.omitted;
    const more = omitted > 0 ? [`… and ${omitted} more. See the log of the preview.`] : [];
    const parts = [...head, ...messages.parts, ...advice, ...sections.parts, ...more];
    return `${parts.join("\n\n")}\n`;
}

/** Where the calls go, with which another address is seen: it changes no resource. */
function addressLine({ config, steps }: Preview): string {
    const ofStack = settingsIn((name) => config[`clouddb:${name}`]);
    const ofProviders = steps
        .filter(({ urn }) => identityOf(urn).type === "pulumi:providers:clouddb")
        .map(({ urn, newState, oldState }) => {
            const inputs = newState?.inputs ?? oldState?.inputs ?? {};
            return { name: identityOf(urn).name, settings: settingsIn((name) => inputs[name]) };
        })
        // The default provider has the settings of the stack.
        .filter(({ settings }) => settings !== ofStack)
        .map(({ name, settings }) => `provider ${code(cut(name, longestSetting))}: ${settings}`);
    const { parts, omitted } = fitting([...new Set(ofProviders)], longestList);
    return [ofStack, ...parts, ...(omitted > 0 ? [`… and ${omitted} more providers`] : [])].join("; ");
}

/** The settings that decide where the token is sent. Nothing before an @ is printed: it may be a password. */
function settingsIn(valueOf: (name: keyof ProviderInputs) => unknown): string {
    const labels = { baseUrl: "address", projectId: "project", allowInsecure: "allowInsecure" } as const;
    const shown = Object.entries(labels).flatMap(([name, label]) => {
        const value = valueOf(name as keyof typeof labels) ?? "";
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return text === "" ? [] : [`${label}: ${code(cut(text.replace(/^.*@/s, `${secret}@`), longestSetting))}`];
    });
    const isDeclared = shown[0]?.startsWith(labels.baseUrl) === true;
    return [...(isDeclared ? [] : [`${labels.baseUrl}: environment of the run`]), ...shown].join(", ");
}

/** A token in plain text is also in the state of the dynamic provider, and in the preview and its plan file. */
function tokenWarnings(config: Settings): string[] {
    const token = config["clouddb:accessToken"];
    const text =
        "`clouddb:accessToken` is not a secret: `pulumi config set --secret clouddb:accessToken` encrypts it. " +
        "Then replace the token: old states keep it";
    return token === undefined || token === secret ? [] : [text];
}

const definitionOf = (urn: string) => kinds.find((one) => one.type === kindOf(identityOf(urn).type));

function describe(
    step: Step,
    diagnostics: readonly Diagnostic[],
    created: readonly Step[],
    deleted: readonly unknown[],
): Change {
    const { op, urn } = step;
    const { type, name } = identityOf(urn);
    const definition = definitionOf(urn);
    const hasData = definition?.hasData === true;
    // Options with which the engine only removes the entry from the state.
    const isWith = op === "delete" && deleted.includes(step.oldState?.deletedWith);
    const keeper = step.oldState?.retainOnDelete === true ? "retainOnDelete" : isWith ? "deletedWith" : undefined;
    const isProtected = definition !== undefined && step.oldState?.outputs?.deletionProtection === true;
    const isRefused = isProtected && keeper === undefined && /^(delete|replace)$/.test(op);
    const lost = hasData ? ", and the data will be lost" : "";
    const fate = keeper === undefined ? lost : `, but ${code(keeper)} keeps ${hasData ? "the data" : "it"}`;
    const lines = (severity: string) =>
        diagnostics
            .filter((one) => one.urn === urn && one.severity === severity)
            .flatMap((one) => withoutSeverity(one).split("\n"));
    return {
        op,
        type: definition && type,
        // The name of any other type can contain markup.
        kind: definition?.type ?? code(kindOf(type) ?? type),
        name: code(name),
        result: operations[op] ?? op,
        isRefused,
        because: becauseOf(step, hasData),
        fate: isRefused ? refusalAfter(created) : definition === undefined ? "" : fate,
        plan: definition === undefined ? [] : lines("info"),
        warnings: [...new Set(lines("warning"))],
    };
}

/** The end of a run that is refused. In other languages than TypeScript, no preview calls the provider for a deletion. */
function refusalAfter(created: readonly Step[]): string {
    const { parts, omitted } = fitting(
        created.map(({ urn }) => code(identityOf(urn).name)),
        longestCode,
    );
    const names = [...parts, ...(omitted > 0 ? [`… and ${omitted} more`] : [])].join(", ");
    return `: this run will fail${names === "" ? "" : ` after it has created ${names}`}`;
}

/** The properties that force a replacement. The engine gives the reason "id" for --replace, and none for a taint. */
function becauseOf({ op, replaceReasons }: Step, hasData: boolean): string {
    const reasons = (replaceReasons ?? []).filter((reason) => reason !== "id").map(code);
    const forced = op === "replace" && hasData ? " because of `--replace`, a taint or an option" : "";
    return reasons.length === 0 ? forced : ` because of ${reasons.join(", ")}`;
}

function summary(changes: readonly Change[]): string {
    const counts = Object.values(operations)
        .map((word) => [changes.filter(({ result }) => result === word).length, word] as const)
        .filter(([count]) => count > 0)
        .map(([count, word]) => `${count} ${word}`);
    return counts.join(", ") || "no changes";
}

/** What a reviewer should read first: deletions and replacements, then as many interruptions and warnings as fit. */
function riskSection(changes: readonly Change[], first: readonly string[], room: number): string | undefined {
    const warnings = changes.flatMap(({ kind, name, plan, warnings }) =>
        [...plan.filter((line) => isDisruptive(line)).map((line) => line.replace(/^\d+ /, "")), ...warnings].map(
            (line) => `${kind} ${name}: ${code(line)}`,
        ),
    );
    const severe = [...first, ...deletionsAndReplacements(changes), ...renaming(changes)];
    const { parts, omitted } = fitting(warnings, Math.min(longestList, room - lengthOf(severe)));
    const more = omitted > 0 ? [`… and ${omitted} more warnings. See the log of the preview.`] : [];
    const lines = [...severe, ...parts, ...more];
    return lines.length === 0 ? undefined : ["> [!WARNING]", ...lines.map((line) => `> - ${line}`)].join("\n");
}

/** One line for each deletion and replacement. If that is too long, one line for each type and outcome, with the names. */
function deletionsAndReplacements(changes: readonly Change[]): string[] {
    const disruptive = changes.filter(({ op }) => op === "delete" || op === "replace");
    const lines = disruptive.map(({ kind, name, result, isRefused, because, fate }) =>
        isRefused
            ? `${kind} ${name} is **protected**${fate}`
            : `${kind} ${name} will be **${result}**${because}${fate}`,
    );
    if (lengthOf(lines) <= longestList) {
        return lines;
    }
    const groups = new Map<string, string[]>();
    for (const { kind, name, result, isRefused, fate } of disruptive) {
        const key = `${kind} **${isRefused ? "protected" : result}**${fate}`;
        groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    return [...groups].map(([key, names]) => {
        const { parts, omitted } = fitting(names, longestNames / groups.size);
        const more = omitted > 0 ? [`… and ${omitted} more`] : [];
        return `${names.length} ${key}: ${[...parts, ...more].join(", ")}`;
    });
}

/** One line for each type of which a resource is deleted and another one created, as after a rename without an alias. */
function renaming(changes: readonly Change[]): string[] {
    const deleted = changes.filter(
        ({ op, type }) =>
            op === "delete" && type !== undefined && changes.some((one) => one.op === "create" && one.type === type),
    );
    return [...new Set(deleted.map(({ kind }) => kind))].map(
        (kind) => `A ${kind} is deleted and another one created: if it is the same one, renamed or moved, ${addsAlias}`,
    );
}

function section({ kind, name, result, plan }: Change): string {
    const title = `**${kind} ${name}** will be ${result}`;
    return plan.length === 0 ? title : `${title}\n\n${block(plan)}`;
}

const rank = ({ op }: Change): number => Object.keys(operations).indexOf(op);

const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + part.length + 2, 0);

/** The parts that fit in full, and the number of omitted parts. */
function fitting(
    parts: readonly string[],
    room: number,
): { readonly parts: readonly string[]; readonly omitted: number } {
    let length = 0;
    const included = parts.filter((part) => (length += part.length + 2) <= room);
    return { parts: included, omitted: parts.length - included.length };
}

function withoutSeverity({ message, severity }: Diagnostic): string {
    const [text, label] = [message.trim(), `${severity}: `];
    return text.startsWith(label) ? text.slice(label.length) : text;
}

/** Inline code, so that the text contains no Markdown markup. */
function code(text: string): string {
    return `\`${cut(printable(text), longestCode).replaceAll("`", "'").replace(/\s+/g, " ")}\``;
}

function cut(text: string, maxLength: number): string {
    return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function block(lines: readonly string[]): string {
    const text = lines.map((line) => printable(line).replace(/`{3,}/g, (run) => "'".repeat(run.length))).join("\n");
    return `\`\`\`text\n${text}\n\`\`\``;
}

/** Text that cannot end the HTML comment that contains it. */
const marker = (text: string): string => cut(text.replace(/[^\w./-]/g, "_"), longestCode);
