/** Generates parts of the reference of the emulator. */
import { createRequire } from "node:module";
import { definition } from "./sources.mjs";

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
    const { requests } = built("controls.js");
    const members = (path, type) => sources.members(`emulator/${path}.ts`, type);
    const durations = members("durations", "Durations");
    const ofOperations = durations.filter(({ text }) => text.startsWith("The duration of "));
    const lengthOf = (name) => `\`${name}\` (${defaultDurations[name]})`;
    return {
        durations: [
            `- Of the operation: ${ofOperations.map(({ name }) => lengthOf(name)).join(", ")}.`,
            ...durations
                .filter((one) => !ofOperations.includes(one))
                .map(({ name, text }) => `- ${lengthOf(name)}: ${text}`),
        ].join("\n"),
        effects: members("faults/effects", "EffectKinds")
            .map((effect) =>
                [
                    `- \`${effect.name}\` (${shortForm(effect.name)}): ${effect.text.replace("Carries out the request and ", "").replace(" Other responses are not affected.", "")}`,
                    ...fieldsOf(effect),
                ].join("\n"),
            )
            .join("\n"),
        controls: members("controls", "Controls")
            .map(({ name, text }) => {
                const { on, body } = requests.find((one) => one.name === name);
                const sent = name === "setDurations" ? "{ NAME?: number }" : body;
                return `- \`${name}\` (\`${on}\`${sent === undefined ? "" : `, \`${sent}\``}): ${text}`;
            })
            .join("\n"),
    };
}

/** An effect in the form of the command line. */
function shortForm(kind) {
    const { formatEffect } = built("faults/text.js");
    const examples = effectExamples.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}

function fieldsOf({ name: kind, members }) {
    const fields = built("faults/effects.js").fieldsOf(kind);
    const texts = Object.fromEntries(members().map(({ name, text }) => [name, text]));
    return Object.entries(fields)
        .filter(([name, { isNeeded }]) => name !== "ms" || !isNeeded)
        .map(([name, { type, isNeeded }]) => `  ${definition({ name, type, optional: !isNeeded, text: texts[name] })}`);
}
