import { blocksOf, read } from "../../support/documents";

// Each kind of message is on the page, or its own lines say everything.

/** The kinds of approved messages, each with the first lines of its examples. */
const kinds = read("tests/unit/lifecycle/approved/messages.txt")
    .trim()
    .split("\n\n\n")
    .map((text) => text.split("\n\n"))
    .map(([kind = "", ...examples]) => [kind, examples.map((text) => text.split("\n")[0] ?? "")] as const);

/** The lines of the page, as the parts that a message contains in this order. */
const known = blocksOf("docs/troubleshooting.md", ["text"])
    .flatMap(({ text }) => text.split("\n"))
    .map((line) => line.split("…").map((part) => part.trim()));

function isOnPage(message: string): boolean {
    return known.some((parts) => {
        let from = 0;
        return parts.every((part) => {
            const at = message.indexOf(part, from);
            from = at + part.length;
            return at >= 0;
        });
    });
}

/** What their own lines say is all that anybody can do. */
const complete = ["existingIdChanged", "invalidId"];

test.each(kinds)("the page has each message of the kind %s, or its own lines say everything", (kind, firstLines) => {
    expect(firstLines).not.toEqual([]);
    expect(firstLines.every(isOnPage)).toBe(!complete.includes(kind));
});
