import { spawnSync } from "node:child_process";
import { pages, read } from "../../support/documents";

// Every command within a sentence of a page, and of a message, as a shell takes it. Other tests run the blocks of the pages.

const sources = [...pages, "tests/unit/lifecycle/approved/messages.txt"];
const found = sources.flatMap((source) =>
    [...read(source).matchAll(/`((?:[A-Z_]+=\S+ )*(?:pulumi|npx|npm) [^`\n]+)`/g)].map(
        ([, command = ""]) => [source, command] as const,
    ),
);
const commands = [...new Map(found.map((one) => [one[1], one])).values()];

/** Prints the arguments of each program, one in a line, instead of running it. */
const programs = ["pulumi", "npx", "npm", "jq"].map((name) => `${name}() { cat >&2; printf '%s\\n' "$@" >&2; }`);

it("there are commands of both kinds", () => {
    expect(found.filter(([source]) => source.endsWith(".txt")).length).toBeGreaterThan(5);
    expect(commands.length).toBeGreaterThan(60);
});

it.each(commands)("%s: a shell takes %s as it is written", (_, command) => {
    const script = [...programs, command].join("\n");
    const { status, stderr } = spawnSync("sh", ["-uc", script], { encoding: "utf8", input: "" });
    const urns = [...command.matchAll(/urn:[^'"`\s]+/g)].map(([urn]) => urn);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(urns.filter((urn) => !stderr.split("\n").some((line) => line.includes(urn)))).toEqual([]);
});
