import { blocksOf, filesBelow, pages, read } from "../../support/documents";

// In these languages, only the program can set Pulumi's option `protect` of a service (docs/languages.md).

const endings = [".yaml", ".py", ".go", ".java"];
const service = /type: clouddb:Service$|clouddb\.(New)?Service\(|new Service\(/gm;
const fences = ["yaml", "python", "go", "java"];
const programs = [
    ...endings.flatMap((ending) => filesBelow("examples", ending)).map((path) => ({ path, text: read(path) })),
    ...pages.flatMap((page) =>
        blocksOf(page, fences).map(({ line, text }) => ({ path: `${page}:${String(line)}`, text })),
    ),
].filter(({ text }) => countOf(service, text) > 0);

function countOf(pattern: RegExp, text: string): number {
    return [...text.matchAll(pattern)].length;
}

test.each(programs)("each service of $path has Pulumi's option protect", ({ text }) => {
    expect(countOf(/^\s*protect: |[(, ]protect=|pulumi\.Protect\(|\.protect\(/gm, text)).toBe(countOf(service, text));
});

test("the programs of each language are found", () => {
    const found = (ending: string) => programs.some(({ path }) => path.endsWith(ending));
    expect(endings.filter((ending) => !found(ending))).toEqual([]);
});
