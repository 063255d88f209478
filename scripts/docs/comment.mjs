/** The comment on a pull request that a page shows: what the command makes of a preview. */
import { createRequire } from "node:module";

const urn = (/** @type {string} */ type, /** @type {string} */ name) =>
    `urn:pulumi:production::shop::pulumi-nodejs:dynamic/clouddb:${type}::${name}`;

/** As Pulumi prints it, but for what the command does not read. */
const PREVIEW = {
    steps: [
        { op: "replace", urn: urn("Vpc", "network"), replaceReasons: ["cidr"] },
        { op: "update", urn: urn("Service", "orders") },
    ],
    diagnostics: [
        {
            urn: urn("Vpc", "network"),
            severity: "info",
            message: '1 create VPC "network-fcada8f", "10.0.16.0/21" in "us-east-1"\n',
        },
        {
            urn: urn("Service", "orders"),
            severity: "info",
            message:
                "1 detach from VPC 707236\n2 attach to VPC (known after apply)\n" +
                "3 resize 1000m/4GB -> 2000m/8GB, restarts the service\n4 high availability 1 replica -> 2 replicas\n",
        },
    ],
};

/** As a comment shows it. */
export function sampleComment() {
    const require = createRequire(new URL("../../package.json", import.meta.url));
    const { planComment } = require("./dist/cli/planComment/comment.js");
    const comment = /** @type {string} */ (planComment(PREVIEW));
    return comment
        .split("\n")
        .filter((line) => !line.startsWith("<!--"))
        .join("\n")
        .trim();
}
