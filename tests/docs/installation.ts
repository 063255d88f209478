import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endAll } from "../support/atEnd";
import { run } from "../support/command";
import { filesBelow, root } from "../support/documents";
import { newFolder } from "../support/folder";
import { shared, startOutside } from "../support/project";

type Dependencies = Record<string, string>;

/** Starts a registry, and installs the packed package there with all packages that the examples use. */
export async function install(): Promise<void> {
    const above = newFolder();
    const { user } = await startOutside(above);
    const folder = join(above, "packages");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: dependencies() }));
    await run("npm", ["install", "--no-fund", "--loglevel=error"], { cwd: folder, env: user });
    process.env[shared.registry] = user.npm_config_registry;
    process.env[shared.packages] = join(folder, "node_modules");
}

export const remove = endAll;

function dependencies(): Dependencies {
    const all = filesBelow("examples", "package.json").map(
        (file) =>
            JSON.parse(readFileSync(join(root, file), "utf8")) as Record<
                "dependencies" | "devDependencies",
                Dependencies
            >,
    );
    const merged = Object.assign({}, ...all.flatMap((one) => [one.dependencies, one.devDependencies])) as Dependencies;
    return { ...merged, "pulumi-clouddb": "latest" };
}
