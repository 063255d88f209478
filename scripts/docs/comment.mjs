/** The example of a comment on a pull request: the output of the command for parts/preview.json. */
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
