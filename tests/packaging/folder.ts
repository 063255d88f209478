import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/documents";
import { newFolder } from "../support/folder";
import { pack } from "../support/registry";

const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    peerDependencies: Record<string, string>;
};
export const newestPulumi = peerDependencies["@pulumi/pulumi"] ?? "";
export const oldestPulumi = newestPulumi.replace("^", "");
/** The newest version of Pulumi's command line that was tested. */
export const newestCli = "3.274.1";

let packed: ReturnType<typeof pack> | undefined;

/** The packed package: its file, and the paths of the files in it. */
export const packedPackage = (): ReturnType<typeof pack> => (packed ??= pack(newFolder()));

/** Writes the files of a new project, which depends on the packed package. */
export function writeProject(
    folder: string,
    manifest: {
        name?: string;
        version?: string;
        type?: string;
        dependencies: Record<string, string>;
        devDependencies: Record<string, string>;
    },
    files: Record<string, string>,
): void {
    mkdirSync(folder, { recursive: true });
    const dependencies = { "pulumi-clouddb": `file:${packedPackage().file}`, ...manifest.dependencies };
    const all = { "package.json": JSON.stringify({ ...manifest, private: true, dependencies }), ...files };
    for (const [name, text] of Object.entries(all)) {
        writeFileSync(join(folder, name), text);
    }
}

/** The environment of the user, without the variables of `npm run` and without settings of Node, Pulumi and the provider. */
export function userEnvironment(): NodeJS.ProcessEnv {
    const added = /^(npm_|INIT_CWD$|NODE$|NODE_PATH$|NODE_OPTIONS$|NODE_ENV$|JEST_|CLOUDDB_|PULUMI_)/i;
    return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)));
}

/** The settings of the TypeScript compiler in the projects. */
export const tsconfig = JSON.stringify({
    compilerOptions: { strict: true, target: "es2022", module: "nodenext", moduleResolution: "nodenext" },
});
