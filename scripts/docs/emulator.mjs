/** Generates parts of the reference of the emulator. The comments of the types say more. */
import { load } from "../generate/sources.mjs";

/** Values of the fields that an effect needs, apart from its duration. */
const effectValues = {
    answer: [{ status: 503 }],
    reset: [{ when: "before" }, { when: "after" }, { when: "middle" }],
    status: [{ status: "UNSTABLE" }],
};

export async function emulatorParts(sources) {
    const files = ["durations", "faults/effects", "faults/text"].map((file) => `emulator/${file}`);
    const [{ defaultDurations }, { fieldsOf }, { formatEffect }] = await load(...files);
    /** An effect in the form of the command line. */
    const shortForms = (kind) => {
        const { [kind]: values = [fieldsOf(kind).ms?.isNeeded ? { ms: 500 } : {}] } = effectValues;
        return values.map((one) => `\`${formatEffect({ kind, ...one })}\``).join(", ");
    };
    const effects = sources.members("emulator/faults/effects.ts", "EffectKinds").map(({ name, text }) => {
        const [firstSentence] = text.replace("Carries out the request and ", "").split(/(?<=\.) /);
        return `- \`${name}\` (${shortForms(name)}): ${firstSentence}`;
    });
    const durations = Object.entries(defaultDurations).map(([name, ms]) => `\`${name}\` (${ms})`);
    return { durations: durations.join(", "), effects: effects.join("\n") };
}
