import { printable } from "../../../provider/base/message";

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
