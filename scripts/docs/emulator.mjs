/** The generated parts of the page about the emulator. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";
import { table } from "./sources.mjs";

const faultsPath = "emulator/faults/fault.ts";

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
    const { defaultDurations } = createRequire(join(repositoryRoot, "package.json"))(
        "./dist/.build/emulator/durations.js",
    );
    const help = execFileSync(process.execPath, [join(repositoryRoot, "dist", "emulator", "cli.js"), "--help"], {
        encoding: "utf8",
        // The help text contains defaults from the environment.
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
                .members(faultsPath, "Fault")
                .map(({ name, type, optional, text }) => [
                    `\`${name}\`${optional ? "" : " (required)"}`,
                    `\`${type}\``,
                    text,
                ]),
        ]),
        effects: table([
            ["effect", "short form", "fields", "meaning"],
            ...sources
                .members(faultsPath, "EffectKinds")
                .map(({ name, text }) => [`\`${name}\``, shortForm(name), effectFields(sources, name), text]),
        ]),
        controls: table([
            ["control", "HTTP request", "JSON body", "meaning"],
            ...sources.members("emulator/controls.ts", "Controls").map(({ name, text }) => {
                const { on = "", body } = routes.get(name) ?? {};
                return [`\`${name}\``, `\`${on}\``, body === undefined ? "" : `\`${body}\``, text];
            }),
        ]),
    };
}

/** An effect in the form of the command line. */
function shortForm(kind) {
    const { formatEffect } = createRequire(join(repositoryRoot, "package.json"))(
        "./dist/.build/emulator/faults/text.js",
    );
    const examples = effectExamples.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}

function effectFields(sources, kind) {
    return sources
        .membersOf(faultsPath, "EffectKinds", kind)
        .map(
            ({ name, type, optional, text }) =>
                `\`${name}${optional ? "?" : ""}: ${type}\`: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
        )
        .join(" ");
}

/** The text of a kind of field, if it is not its name. */
const kinds = { size: '{ cpuMillis: number, memoryGbs: number } or "shared"' };

/** The route of each control, and its JSON body: the fields that a `fields` function reads, or the type in the route. */
function routesOf(sources) {
    const text = sources.file("emulator/controlRoutes.ts").getFullText();
    const bodies = new Map();
    for (const [, name, fields, required = ""] of text.matchAll(
        /const (\w+) = fields<[^]*?>\(\{([^}]*)\}(?:, \[([^\]]*)\])?\)/g,
    )) {
        const typed = [...fields.matchAll(/(\w+): "([^"]+)"/g)].map(
            ([, field, kind]) => `${field}${required.includes(`"${field}"`) ? "" : "?"}: ${kinds[kind] ?? kind}`,
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
