/** What the pages say only until the package is published: where its file comes from, and the file in commands. */
import { read } from "../lib/files.mjs";
import { ScriptError } from "../lib/repository.mjs";

const onlyBefore = /<!-- unpublished:begin -->[^]*?<!-- unpublished:end -->\s*/g;
const file = /\.{1,2}\/pulumi-clouddb-\*\.tgz/g;

/** A page that names the package instead of a file. */
export const published = (page) => page.replace(onlyBefore, "").replace(file, "pulumi-clouddb");

/** A warning if a packed page names the file. The release of a tag has no such page. */
export function warningOf(paths, isTag) {
    const pages = paths.filter((path) => path.endsWith(".md") && published(read(path)) !== read(path));
    if (pages.length === 0) {
        return "";
    }
    const text = `${pages.join(", ")}: the package is installed from a file. Run \`npm run docs -- --published\` once, and commit it.`;
    if (isTag) {
        throw new ScriptError(text);
    }
    return `warning: ${text}\n`;
}
