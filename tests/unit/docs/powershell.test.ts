import { blocksOf } from "../../support/documents";

/** What PowerShell does not take as a POSIX shell does. npm of Windows gets a pattern as it is. */
const posix = /\b(export|unset|printf)\b|'|\$\(|&&|\\$|^for |\brm -|\*/m;

const sections = ["README.md#start-a-project", "docs/production.md#stacks"];

/** The commands of a block without those of its shell, and the environment variables that it sets or unsets. */
function partsOf(text: string) {
    const commands = text.match(/^ *(pulumi|npx|npm) [^|(\n]+/gm) ?? [];
    const variables = text.match(/\b(CLOUDDB|PULUMI)_[A-Z_]+/g) ?? [];
    return { commands: commands.map((line) => line.replace(/ \S*\*\S*$| \|\| break$/, "").trim()), variables };
}

describe.each(sections)("%s", (section) => {
    const blocks = blocksOf(section, ["sh", "powershell"]);
    const pairs = blocks
        .flatMap((block, index) => (posix.test(block.text) ? [[block, blocks[index + 1]] as const] : []))
        .filter(([{ language }]) => language === "sh");

    it("has a form for PowerShell behind each block that needs one, and behind no other", () => {
        expect(pairs.length).toBeGreaterThan(1);
        const without = pairs.filter(([, sibling]) => sibling?.language !== "powershell").map(([{ text }]) => text);
        expect(without).toEqual([]);
        expect(blocks.filter(({ language }) => language === "powershell")).toHaveLength(pairs.length);
    });

    it("has the same commands and variables in both forms", () => {
        for (const [{ text }, sibling] of pairs) {
            expect(partsOf(sibling?.text ?? "")).toEqual(partsOf(text));
        }
    });

    it("has no syntax of a POSIX shell in the form for PowerShell", () => {
        const forms = blocks.filter(({ language }) => language === "powershell");
        expect(forms.filter(({ text }) => posix.test(text.replace(/\(Get-Item \S+\)/, "")))).toEqual([]);
    });
});
