import { execFileSync } from "node:child_process";
import { filesBelow, isGenerated, pages, read, root } from "../../support/documents";

test("a review of a change on GitHub hides the generated files", () => {
    const generated = [
        ...pages.filter((page) => isGenerated(read(page))),
        ...["provider", "sdk"].flatMap((folder) =>
            [".gen.ts", ".gen.json"].flatMap((ending) => filesBelow(folder, ending)),
        ),
    ];
    expect(generated.length).toBeGreaterThan(12);
    const found = execFileSync("git", ["check-attr", "linguist-generated", "--", ...generated], {
        cwd: root,
        encoding: "utf8",
    });
    expect(found.trim().split("\n")).toEqual(generated.map((file) => `${file}: linguist-generated: set`));
});
