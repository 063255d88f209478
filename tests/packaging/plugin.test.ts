import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/documents";

const plugin = join(root, "dist", "plugin", "pulumi-resource-clouddb.js");
const maxBytes = 1_700_000;

test("the plugin is smaller than 1.7 MB", () => {
    expect(statSync(plugin).size).toBeLessThan(maxBytes);
});
