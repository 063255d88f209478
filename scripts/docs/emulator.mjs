/** The generated parts of the page about the emulator. */
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
    return {
        options: listOf("options", "EmulatorOptions", (one) => definition({ ...one, optional: true })),
        durations: listOf("durations", "Durations", ({ name, text }) => `- \`${name}\` (${defaultDurations[name]}): ${text}`),
        fault: listOf(faults, "Fault", definition),
        effects: listOf(faults, "EffectKinds", (effect) =>
            [
                `- \`${effect.name}\` (${shortForm(effect.name)}): ${effect.text.replace("Carries out the request and ", "").replace(" Other responses are not affected.", "")}`,
                ...fieldsOf(effect),
            ].join("\n"),
        ),
        controls: listOf("controls", "Controls", ({ name, text }) => {
            const { on, body } = routes[name];
            const durations = Object.keys(defaultDurations).every((one) => body?.includes(`${one}?`));
            const sent = durations ? "{ NAME?: number }" : body;
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
