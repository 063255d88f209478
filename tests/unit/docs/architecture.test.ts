import { read } from "../../support/documents";

const page = read("docs/architecture.md");
/** Names, and the file in provider/ that follows them: "`Change.run` and `apply`, `lifecycle/update.ts`". */
const places = [...page.matchAll(/((?:`[\w.]+`(?:, | and | in ))+)`([\w/]+\.ts)`/g)].flatMap(
    ([, names = "", file = ""]) =>
        [...names.matchAll(/(\w+)`/g)].map(([, name = ""]): [string, string] => [name, file]),
);

test.each(places)("%s is in %s", (name, file) => {
    expect(read(`provider/${file}`)).toMatch(new RegExp(`(function|class) ${name}\\b|\\b${name}(<.*>)?(\\(| =|:)`));
});
