import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { main as emulatorCommand } from "../../../emulator/main";
import {
    anchorOf,
    blocksOf,
    commandsOf,
    currentPages,
    filesBelow,
    pages,
    read,
    root,
    rowsIn,
} from "../../support/documents";

const { scripts, bin } = JSON.parse(read("package.json")) as Record<"scripts" | "bin", Record<string, string>>;

const commands = currentPages.flatMap((page) =>
    ["npm", "npx", "pulumi"].flatMap((program) => commandsOf(page, program).map((command) => [page, command] as const)),
);

describe("every file of the repository except the changelog", () => {
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: root }).toString().split("\0");
    const texts = files
        .filter((file) => /\.(md|ts|js|mjs|json|yml)$|^\.(ci|githooks)\//.test(file) && existsSync(join(root, file)))
        .filter((file) => file !== "CHANGELOG.md")
        .map((file) => [file, read(file)] as const);
    const found = (pattern: RegExp) =>
        texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([, found = ""]) => [file, found] as const));

    it("names only npm scripts that exist", () => {
        const names = found(/\bnpm run (?:--silent )?([\w:-]+)/g);
        expect(names.length).toBeGreaterThan(50);
        expect(names.filter(([, name]) => !(name in scripts))).toEqual([]);
    });

    it("names only suites and tests that exist after npm test", () => {
        const tests = filesBelow("tests", ".test.ts");
        const isSuite = (word: string) => word === "model" || existsSync(join(root, "tests", word, "jest.config.js"));
        const words = found(/\b(?:npm|suite) test -- ([a-z.][\w./ ]*)/g).flatMap(([file, list]) =>
            list
                .trim()
                .split(" ")
                .map((word) => [file, word] as const),
        );
        expect(words.length).toBeGreaterThan(30);
        expect(words.filter(([, word]) => !isSuite(word) && !tests.some((path) => path.includes(word)))).toEqual([]);
    });
});

// Another package contains the TypeScript compiler.
test.each(commands.filter(([, command]) => /\bnpx (?!--no-install tsc\b)\S/.test(command)))(
    "%s: %s exists",
    (_, command) => {
        const name = /\bnpx --no-install (\S+)/.exec(command)?.[1] ?? "";
        expect(Object.keys(bin)).toContain(name);
        const source = (bin[name] ?? "").replace(/^dist\//, "").replace(/\.js$/, ".ts");
        expect(existsSync(join(root, source))).toBe(true);
    },
);

test.each(commands.filter(([, command]) => command.includes("npm run quickstart -- ")))(
    "%s: %s is a command of the quickstart",
    (_, command) => {
        const [, name = ""] = /quickstart -- (\w+)/.exec(command) ?? [];
        expect(read("scripts/quickstart.mjs")).toMatch(new RegExp(`^  ${name} .*\\S`, "m"));
    },
);

test.each(commands.filter(([, command]) => /clouddb-emulator --|npm run emulator -- --/.test(command)))(
    "%s: %s starts an emulator",
    async (_, command) => {
        const argv = command
            .replace(/^.*?\b(clouddb-emulator|run emulator --) /, "")
            .replace(/--port \d+/, "--port 0")
            .split(/\s+/);
        const stop = new AbortController();
        const lines: string[] = [];
        const stdout = (line: string) => {
            lines.push(line);
            stop.abort();
        };
        const code = await emulatorCommand(argv, {
            stdout,
            stderr: (line) => lines.push(line),
            env: {},
            stop: stop.signal,
        });
        expect(lines[0]).toMatch(argv.includes("--help") ? /^Usage/ : /^LISTENING http:\/\/127\.0\.0\.1:\d+\/v1$/);
        expect(code).toBe(0);
    },
);

const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => [page, target] as const),
);

test.each(links)("%s: the target of the link to %s exists", (page, target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    expect(existsSync(join(root, file))).toBe(true);
    if (anchor !== undefined) {
        const anchors = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => anchorOf(title));
        expect(anchors).toContain(anchor);
    }
});

test("the index links to every page for users, CONTRIBUTING to the others, and the README to the index", () => {
    const linksOf = (page: string) =>
        links.filter(([from]) => from === page).map(([, to]) => join(dirname(page), to.replace(/#.*/, "")));
    const forContributors = ["docs/architecture.md", "docs/benchmarks.md"];
    expect(linksOf("README.md")).toContain("docs/README.md");
    expect(linksOf("CONTRIBUTING.md")).toEqual(expect.arrayContaining(forContributors));
    const forUsers = filesBelow("docs", ".md").filter((page) => !["docs/README.md", ...forContributors].includes(page));
    expect(linksOf("docs/README.md")).toEqual(expect.arrayContaining(forUsers));
});

test("no table with many columns is wider than a page of GitHub", () => {
    const widthOf = (cell: string) =>
        Math.max(
            ...cell
                .replace(/\*\*|`|\]\([^)]*\)|\[/g, "")
                .split("<br>")
                .map(({ length }) => length),
        );
    const tables = [...filesBelow("docs", ".md"), "README.md"].flatMap((page) =>
        read(page)
            .split(/\n(?!\|)/)
            .filter((text) => text.includes("\n|"))
            .map((text) => [page, rowsIn(text)] as const),
    );
    const wide = tables.flatMap(([page, [head = [], ...rows]]) => {
        const columns = head.map((title, index) => [title, ...rows.slice(1).map((row) => row[index] ?? "")]);
        const widths = columns.map((cells) => Math.max(...cells.map(widthOf)));
        const width = widths.reduce((sum, one) => sum + one, 0) + 3 * (head.length - 1);
        // Of few columns, a page breaks the lines of the sentences.
        return width < 115 || head.length < 4 ? [] : [`${page}: ${head.join(", ")}: ${width}`];
    });
    expect(tables.length).toBeGreaterThan(20);
    expect(wide).toEqual([]);
});

const sources = ["provider", "sdk", "cli", "emulator"]
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .map((file) =>
        read(file)
            .replaceAll("\\`", "`")
            .replace(/`\s*\+\s*`|"\s*\+\s*[`"]|`\s*\+\s*"/g, ""),
    )
    // Messages whose words the code puts together.
    .concat(read("tests/unit/lifecycle/approved/messages.txt"))
    .join("\n");

/** The messages that troubleshooting explains; those of other programs name the program. */
const messages = blocksOf("docs/troubleshooting.md", ["text"]).flatMap(({ text }) => text.split("\n"));

test.each(messages.filter((message) => !/ \((Pulumi|Node\.js|PostgreSQL)\)$/.test(message)))(
    "troubleshooting: the code contains the message “%s”",
    (message) => {
        const parts = message.split("…").map((part) => part.replace(/^[ ,]+|[ ,]+$/g, ""));
        expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
    },
);
