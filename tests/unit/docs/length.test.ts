import { pages, read } from "../../support/documents";

const limit = 20_000;

test("the documentation is shorter than its limit", () => {
    const words = pages.filter((page) => page.startsWith("docs/")).flatMap((page) => read(page).trim().split(/\s+/));
    expect(words.length).toBeGreaterThan(limit / 2);
    expect(words.length).toBeLessThan(limit);
});
