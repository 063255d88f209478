/** Generates parts of the reference of the emulator. */
import { createRequire } from "node:module";
import { definition } from "./sources.mjs";

const faults = "faults/fault";
const built = (file) => createRequire(import.meta.url)(`../../dist/.build/emulator/${file}`);

/** Values of the fields that an effect needs. */
const effectExamples = [
    { kind: "answer", status: 503 },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "reset", when: "middle" },
    { kind: "status", status: "UNSTABLE" },
    ...["delay", "stale", "hidden", "unlisted", "stuck"].map((kind) => ({ kind, ms: 500 })),
];

export function emulatorParts(sources) {
    const { defaultDurations } = built("durations.js");
    const { routes } = built("controlRoutes.js");
    const listOf = (path, type, item) => sources.members(`emulator/${path}.ts`, type).map(item).join("\n");
    const durations = sources.members("emulator/durations.ts", "Durations");
    const ofOperations = durations.filter(({ text }) => text.startsWith("The duration of "));
    const lengthOf = (name) => `\`${name}\` (${defaultDurations[name]})`;
    return {
        durations: [
            `- Of the operation: ${ofOperations.map(({ name }) => lengthOf(name)).join(", ")}.`,
            ...durations
                .filter((one) => !ofOperations.includes(one))
                .map(({ name, text }) => `- ${lengthOf(name)}: ${text}`),
        ].join("\n"),
        effects: listOf(faults, "EffectKinds", (effect) =>
            [
                `- \`${effect.name}\` (${shortForm(effect.name)}): ${effect.text.replace("Carries out the request and ", "").replace(" Other responses are not affected.", "")}`,
                ...fieldsOf(effect),
            ].join("\n"),
        ),
        controls: listOf("controls", "Controls", ({ name, text }) => {
            const { on, body } = routes[name];
            const sent = Object.keys(defaultDurations).every((one) => body?.includes(`${one}?`))
                ? "{ NAME?: number }"
                : body;
            return `- \`${name}\` (\`${on}\`${sent === undefined ? "" : `, \`${sent}\``}): ${text}`;
        }),
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
        .filter(({ name, optional }) => name !== "ms" || optional)
        .map((field) => `  ${definition(field)}`);
