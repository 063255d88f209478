import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bin, engines, exports } from "../../package.json";
import { root } from "../support/documents";

const imported = Object.values(exports).flatMap((one) => (typeof one === "string" ? [] : one.default));

/** A Node.js 18, as far as modules can see when they are loaded. */
const old = `
    Object.defineProperty(process.versions, "node", { value: "18.20.4" });
    delete process.getBuiltinModule;
    delete AbortSignal.any;
`;

it.each([...imported, ...Object.values(bin), "pulumi-resource-clouddb"])(
    "%s says which Node.js it needs, before it uses what an older one lacks",
    (file) => {
        const lines = `${old}\nrequire(${JSON.stringify(join(root, file))});`;
        const { stderr, status } = spawnSync(process.execPath, ["-e", lines], { encoding: "utf8" });
        expect(status).not.toBe(0);
        expect(stderr).toContain(
            `Error: pulumi-clouddb needs Node.js ${engines.node.replace(">=", "")} or newer. This is Node.js 18.20.4, `,
        );
    },
);
