/** What the page about the emulator takes from its code. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../lib/repository.mjs";
import { table } from "./sources.mjs";

const FAULTS = "emulator/faults/fault.ts";

/** Values of the fields that an effect needs. */
const EXAMPLES = [
    { kind: "answer", status: 503 },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "reset", when: "middle" },
    { kind: "status", status: "UNSTABLE" },
    ...["delay", "stale", "hidden", "stuck"].map((kind) => ({ kind, ms: 500 })),
];

export function emulatorParts(sources) {
    const { defaultDurations } = createRequire(join(ROOT, "package.json"))("./dist/.build/emulator/durations.js");
    const help = execFileSync(process.execPath, [join(ROOT, "dist", "emulator", "cli.js"), "--help"], {
        encoding: "utf8",
        // The defaults in the text come from the environment, and this one is nobody's.
        env: {},
    });
    const routes = routesOf(sources);
    return {
        help: `\`\`\`text\n${help.trim()}\n\`\`\``,
        options: table([
            ["option", "type", "meaning"],
            ...sources
                .members("emulator/options.ts", "EmulatorOptions")
                .map(({ name, type, text }) => [`\`${name}\``, `\`${type}\``, text]),
        ]),
        durations: table([
            ["duration", "default", "meaning"],
            ...sources
                .members("emulator/durations.ts", "Durations")
                .map(({ name, text }) => [`\`${name}\``, String(defaultDurations[name]), text]),
        ]),
        fault: table([
            ["property", "type", "meaning"],
            ...sources
                .members(FAULTS, "Fault")
                .map(({ name, type, optional, text }) => [
                    `\`${name}\`${optional ? "" : " (required)"}`,
                    `\`${type}\``,
                    text,
                ]),
        ]),
        effects: table([
            ["effect", "in short", "fields", "what happens"],
            ...sources
                .members(FAULTS, "EffectKinds")
                .map(({ name, text }) => [`\`${name}\``, inShort(name), effectFields(sources, name), text]),
        ]),
        controls: table([
            ["control", "over HTTP", "its JSON body", "meaning"],
            ...sources.members("emulator/controls.ts", "Controls").map(({ name, text }) => {
                const { on = "", body } = routes.get(name) ?? {};
                return [`\`${name}\``, `\`${on}\``, body === undefined ? "" : `\`${body}\``, text];
            }),
        ]),
    };
}

/** An effect as the command line takes it. */
function inShort(kind) {
    const { formatEffect } = createRequire(join(ROOT, "package.json"))("./dist/.build/emulator/faults/text.js");
    const examples = EXAMPLES.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}

function effectFields(sources, kind) {
    return sources
        .membersOf(FAULTS, "EffectKinds", kind)
        .map(
            ({ name, type, optional, text }) =>
                `\`${name}${optional ? "?" : ""}: ${type}\`: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
        )
        .join(" ");
}

/** How the kinds of fields are written, where that is not their name. */
const KINDS = { size: '{ cpuMillis: number, memoryGbs: number } or "shared"' };

/** How each control is reached, and its JSON body: what a function of `fields` reads, or the type in the route. */
function routesOf(sources) {
    const text = sources.file("emulator/controlRoutes.ts").getFullText();
    const bodies = new Map();
    for (const [, name, fields, required = ""] of text.matchAll(
        /const (\w+) = fields<[^]*?>\(\{([^}]*)\}(?:, \[([^\]]*)\])?\)/g,
    )) {
        const typed = [...fields.matchAll(/(\w+): "([^"]+)"/g)].map(
            ([, field, kind]) => `${field}${required.includes(`"${field}"`) ? "" : "?"}: ${KINDS[kind] ?? kind}`,
        );
        bodies.set(name, `{ ${typed.join(", ")} }`);
    }
    const bodyIn = (code) => /\(body\) as (\{[^}]*\})/.exec(code)?.[1] ?? bodies.get(/(\w+)\(body\)/.exec(code)?.[1]);
    for (const [code, name] of text.matchAll(/^function (\w+)\(body[^]*?\n}/gm)) {
        bodies.set(name, bodyIn(code.slice(code.indexOf("{"))));
    }
    const routes = text.split("ControlRoute>> = {")[1]?.split("\n};")[0] ?? "";
    return new Map(
        [...routes.matchAll(/^ {4}(\w+): \{[^]*?on: "([^"]+)"[^]*?(?=^ {4}\w|$(?![^]))/gm)].map(([code, name, on]) => [
            name,
            { on, body: bodyIn(code) },
        ]),
    );
}
