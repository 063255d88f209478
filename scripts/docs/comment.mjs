/** The comment on a pull request that a page shows: what the command makes of the preview in parts/preview.json. */
import { createRequire } from "node:module";

export function sampleComment() {
    const require = createRequire(import.meta.url);
    const { planComment } = require("../../dist/.build/cli/planComment/comment.js");
    const lines = planComment(require("./parts/preview.json")).split("\n");
    return lines
        .filter((line) => !line.startsWith("<!--"))
        .join("\n")
        .trim();
}
