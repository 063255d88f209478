/** Generates parts of the reference of the emulator. The comments of the types say more. */
import { createRequire } from "node:module";

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
    const members = (path, type) => sources.members(`emulator/${path}.ts`, type);
    return {
        durations: Object.entries(defaultDurations)
            .map(([name, ms]) => `\`${name}\` (${ms})`)
            .join(", "),
        effects: members("faults/effects", "EffectKinds")
            .map(
                ({ name, text }) =>
                    `- \`${name}\` (${shortForm(name)}): ${text.replace("Carries out the request and ", "").split(/(?<=\.) /)[0]}`,
            )
            .join("\n"),
    };
}

/** An effect in the form of the command line. */
function shortForm(kind) {
    const { formatEffect } = built("faults/text.js");
    const examples = effectExamples.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}
