import { printableJson } from "../../../cli/printableJson";

test("JSON with characters that control a terminal, or are in a command of a pipeline, is escaped and has the same value", () => {
    const value = { name: `a\u001b\u009b\u202e\u2028\ud800\n##[error]::error::🙂` };
    const text = printableJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(text)).toEqual(value);
    expect(text.replace(/[\n\x20-~🙂]/gu, "")).toBe("");
    expect(text).not.toContain("##");
});
