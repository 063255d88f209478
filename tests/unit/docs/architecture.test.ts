import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/documents";

const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
/** Names, and the file in provider/ that follows them: "`Change.run` and `apply`, `lifecycle/update.ts`". */
const places = [...page.matchAll(/((?:`[\w.]+`(?:, | and | in ))+)`([\w/]+\.ts)`/g)].flatMap(
    ([, names = "", file = ""]) =>
        [...names.matchAll(/(\w+)`/g)].map(([, name = ""]): [string, string] => [name, file]),
);

test.each(places)("%s is in %s", (name, file) => {
    expect(readFileSync(join(root, "provider", file), "utf8")).toMatch(
        new RegExp(`(function|class) ${name}\\b|\\b${name}(<.*>)?(\\(| =|:)`),
    );
});
