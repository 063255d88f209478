/** A project as a new user has one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whatever the language and the kind of modules, these are the resources. */
const RESOURCES = `
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const orders = new clouddb.Service("orders", {
    regionCode: "us-east-1",
    cpuMillis: 500,
    memoryGbs: 2,
    vpcId: network.vpcId,
});
`;

/** What Pulumi's own template for TypeScript has. */
const TSCONFIG = {
    compilerOptions: {
        strict: true,
        outDir: "bin",
        target: "es2020",
        module: "nodenext",
        moduleResolution: "nodenext",
        sourceMap: true,
        noFallthroughCasesInSwitch: true,
        noImplicitReturns: true,
        forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts"],
};

/**
 * @param {string} folder
 * @param {import("./cells.mjs").Cell} cell
 * @param {{ tarball: string, pulumi: string }} versions
 */
export function writeProject(folder, cell, { tarball, pulumi }) {
    mkdirSync(folder, { recursive: true });
    const typescript = cell.language === "ts";
    /** @type {Record<string, unknown>} */
    const files = {
        "Pulumi.yaml": `name: packaging\nruntime:\n  name: nodejs\n  options:\n    packagemanager: ${cell.manager}\n`,
        "package.json": {
            name: "packaging",
            private: true,
            type: cell.modules === "esm" ? "module" : "commonjs",
            dependencies: { "@pulumi/pulumi": pulumi, "pulumi-clouddb": `file:${tarball}` },
            ...(typescript && { devDependencies: typescriptTools(cell) }),
        },
        [`index.${cell.language}`]: program(cell),
        ...(typescript && { "tsconfig.json": TSCONFIG }),
        // Makes the folder a project of its own, whatever is above it.
        ...(cell.manager === "yarn" && { "yarn.lock": "" }),
    };
    for (const [name, content] of Object.entries(files)) {
        const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
        writeFileSync(join(folder, name), text);
    }
}

/** @param {import("./cells.mjs").Cell} cell */
function typescriptTools({ modules, node }) {
    // Pulumi brings a ts-node of its own, which knows no ES modules.
    return { "@types/node": `^${node}.0.0`, typescript: "^5.9.3", ...(modules === "esm" && { "ts-node": "^10.9.2" }) };
}

/** @param {import("./cells.mjs").Cell} cell */
function program({ language, modules }) {
    if (language === "js" && modules === "cjs") {
        return `const clouddb = require("pulumi-clouddb");\n${RESOURCES}\nexports.host = orders.host;\n`;
    }
    return `import * as clouddb from "pulumi-clouddb";\n${RESOURCES}\nexport const host = orders.host;\n`;
}
