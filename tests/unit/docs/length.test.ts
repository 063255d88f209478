import { isGenerated, pages, read } from "../../support/documents";

const limit = 14_029;

test("the hand-written documentation is shorter than its limit", () => {
    const written = pages.filter((page) => page.startsWith("docs/")).map((page) => read(page));
    const words = written.filter((text) => !isGenerated(text)).flatMap((text) => text.trim().split(/\s+/));
    expect(words.length).toBeGreaterThan(limit / 2);
    expect(words.length).toBeLessThan(limit);
});
