import { format, parsed, printable, way } from "../../../provider/base/message";

const [escape, c1, override, isolate, surrogate] = ["\u001b", "\u009b", "\u202e", "\u2066", "\ud800"];

test.each([
    ["an escape sequence", `a${escape}[31mb`, "a?[31mb"],
    ["an escape sequence of one character", `a${c1}31mb`, "a?31mb"],
    ["line breaks of all kinds", "a\nb\r\nc\u0085d\u2028e\u2029f\tg", "a b c d e f g"],
    ["an override of the direction", `a${override}b${isolate}c`, "a?b?c"],
    ["half a character", `a${surrogate}b`, "a?b"],
    ["a backspace and a null", "a\bb\u0000c", "a?b?c"],
    ["a workflow command", "::error::x", ": :error::x"],
    ["a workflow command after white space", " \n ::error::x", "   : :error::x"],
    [
        "a workflow command of the old form",
        "a ##[error]b ##vso[task.setvariable]c",
        "a # #[error]b # #vso[task.setvariable]c",
    ],
    ["harmless text", 'naïve 数据库 🙂 a::b "c" ## d', 'naïve 数据库 🙂 a::b "c" ## d'],
])("in a text of the API, %s is neutralized or kept", (_, text, expected) => {
    expect(printable(text)).toBe(expected);
});

test("a second pass of a text of the API changes nothing", () => {
    for (const text of ["::::error::x", "####[a]##[b]", `\n::${escape}`]) {
        const once = printable(text);
        expect(printable(once)).toBe(once);
        expect(once).not.toMatch(/^\s*::|##\w*\[/);
    }
});

describe("a message with a command that has single quotes", () => {
    const { platform } = process;
    const on = (value: string) => Object.defineProperty(process, "platform", { value });
    afterEach(() => on(platform));
    const message = {
        what: "Refused.",
        ways: [way("Retry", "`pulumi up --target 'urn:a$b'`"), way("Remove", "`pulumi state delete 'urn:a$b'`")],
        details: "none",
    };
    const lines = "Refused.\nRetry: `pulumi up --target 'urn:a$b'`\nRemove: `pulumi state delete 'urn:a$b'`\n";
    const inCmd = "In cmd.exe: use double quotes instead of single quotes\n";

    it("says once what cmd.exe takes instead, on Windows, also if another process has formatted it", () => {
        on("win32");
        expect(format(message)).toBe(`${lines}${inCmd}Details: none`);
        expect(`${format(parsed(`${lines}${inCmd}`.trim()))}\n`).toBe(`${lines}${inCmd}`);
        expect(
            format({ what: "It is refused.", ways: [way("Retry", "`pulumi up`, with Pulumi's option")] }),
        ).not.toContain("cmd.exe");
    });

    it("is only the command elsewhere", () => {
        on("linux");
        expect(format(message)).toBe(`${lines}Details: none`);
    });
});
