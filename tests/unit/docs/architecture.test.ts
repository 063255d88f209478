import { filesBelow, read } from "../../support/documents";

const page = read("docs/architecture.md");
/** Names, and the file in provider/ that follows them: "`Change.run` and `apply`, `lifecycle/update.ts`". */
const places = [...page.matchAll(/((?:`[\w.]+`(?:, | and | in ))+)`([\w/]+\.ts)`/g)].flatMap(
    ([, names = "", file = ""]) =>
        [...names.matchAll(/(\w+)`/g)].map(([, name = ""]): [string, string] => [name, file]),
);

test.each(places)("%s is in %s", (name, file) => {
    expect(read(`provider/${file}`)).toMatch(new RegExp(`(function|class) ${name}\\b|\\b${name}(<.*>)?(\\(| =|:)`));
});

const folders = ["provider", "emulator", "scripts", "sdk/nodejs", "tests/support"];
const files = [...folders.flatMap((folder) => filesBelow(folder, ".ts")), ...filesBelow("tests/recipes", ".patch")];
const code = files.map((file) => read(file).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "")).join("\n");
const [, recipes = ""] = /\n## How to add an input\n([^]*?)\n## Requirements/.exec(read("CONTRIBUTING.md")) ?? [];
/** Names of our code in the recipes, without those that stand for the name of the new kind. */
const names = [...recipes.matchAll(/`([a-z]\w{3,})`/g)].map(([, name = ""]) => name);

test.each([...new Set(names)].filter((name) => !name.includes("NAME")))("%s of CONTRIBUTING is a name", (name) => {
    expect(new RegExp(`\\b${name}(\\??[:(=,<]| =)|\\{ ${name}\\b`).test(code)).toBe(true);
});
