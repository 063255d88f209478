/** The generated parts of the page about the emulator. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";
import { cellsOf, table } from "./sources.mjs";

const faults = "faults/fault";
const built = (file) => createRequire(import.meta.url)(`../../dist/.build/emulator/${file}`);

/** Values of the fields that an effect needs. */
const effectExamples = [
    { kind: "answer", status: 503 },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "reset", when: "middle" },
    { kind: "status", status: "UNSTABLE" },
    ...["delay", "stale", "hidden", "stuck"].map((kind) => ({ kind, ms: 500 })),
];

export function emulatorParts(sources) {
    const { defaultDurations } = built("durations.js");
    const command = [join(repositoryRoot, "dist", "emulator", "cli.js"), "--help"];
    // The help text contains defaults from the environment.
    const help = execFileSync(process.execPath, command, { encoding: "utf8", env: {} });
    const { routes } = built("controlRoutes.js");
    const tableOf = (head, path, type, cells) =>
        table([head, ...sources.members(`emulator/${path}.ts`, type).map(cells)]);
    return {
        help: `\`\`\`text\n${help.trim()}\n\`\`\``,
        options: tableOf(["option", "type", "meaning"], "options", "EmulatorOptions", ({ name, type, text }) => [
            `\`${name}\``,
            `\`${type}\``,
            text,
        ]),
        durations: tableOf(["duration", "default", "meaning"], "durations", "Durations", ({ name, text }) => [
            `\`${name}\``,
            String(defaultDurations[name]),
            text,
        ]),
        fault: tableOf(["property", "type", "meaning"], faults, "Fault", cellsOf),
        effects: tableOf(["effect", "short form", "fields", "meaning"], faults, "EffectKinds", (effect) => [
            `\`${effect.name}\``,
            shortForm(effect.name),
            fieldsOf(effect),
            effect.text,
        ]),
        controls: tableOf(
            ["control", "HTTP request", "JSON body", "meaning"],
            "controls",
            "Controls",
            ({ name, text }) => {
                const { on, body } = routes[name];
                return [`\`${name}\``, `\`${on}\``, body === undefined ? "" : `\`${body}\``, text];
            },
        ),
    };
}

/** An effect in the form of the command line. */
function shortForm(kind) {
    const { formatEffect } = built("faults/text.js");
    const examples = effectExamples.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}

const fieldsOf = ({ members }) =>
    members()
        .map(({ name, type, optional, text }) => {
            const meaning = `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
            return `\`${name}${optional ? "?" : ""}: ${type}\`: ${meaning}`;
        })
        .join(" ");
