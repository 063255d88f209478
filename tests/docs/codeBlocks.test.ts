import { join } from "node:path";
import { parse } from "yaml";
import { errorsInPages } from "../support/compiler";
import { blocksOf, pages, root, type Block } from "../support/documents";

const blocks = pages
    .flatMap((page) => blocksOf(page, ["ts", "typescript"]))
    // networks.test.ts compiles the one for AWS.
    .filter(({ text }) => !text.includes('"@pulumi/aws"'));

/** The path of a virtual file for the block. No file is written. */
const fileOf = ({ page, line }: Block) => join(root, "docs", `${page.replace(/\W/g, "-")}-${line}.ts`);

const errorsIn = errorsInPages(new Map(blocks.map((block) => [fileOf(block), block.text])));

test.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))("%s compiles", (_, block) => {
    expect(errorsIn(fileOf(block)).map(({ line, text }) => `line ${block.line + line}: ${text}`)).toEqual([]);
});

const settings = pages.flatMap((page) => blocksOf(page, ["yaml", "json"]));

test.each(settings.map((block) => [`${block.page}:${block.line}`, block] as const))("%s can be parsed", (_, block) => {
    expect(parse(block.text)).toEqual(expect.anything());
});
