import { resourceTypes } from "../../../provider/resources";
import { read } from "../../support/documents";

// Texts by hand that list the kinds of resources.

const linksIn = (text: string) =>
    [...text.matchAll(/\[(\w+)\]\(([^)]*)\)/g)].map(([, name = "", to = ""]) => [name, to] as const);

it("the README names each kind of resource, with a link to its reference", () => {
    const [, list = ""] = /<!-- resources:begin -->(.*)<!-- resources:end -->/s.exec(read("docs/README.md")) ?? [];
    const reference = new Map(linksIn(list).map(([name, to]) => [name, `docs/${to}`]));
    const [sentence = ""] = /^The resources are .*?\)\./m.exec(read("README.md")) ?? [];
    const links = linksIn(sentence);
    expect(["README.md", links.map(([name]) => name).sort()]).toEqual(["README.md", [...resourceTypes].sort()]);
    // `npm run docs` adds that of a new kind.
    expect(links.filter(([name, to]) => (reference.get(name) ?? to) !== to)).toEqual([]);
});
