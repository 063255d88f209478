/**
 * The plugin as a single executable: the bundle of plugin/standalone.ts in Node.js, which needs nothing else.
 * The same sources result in the same bytes.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { withLock } from "../engine/lock.mjs";
import { fingerprint, licensesOf, withoutUnused } from "../lib/build.mjs";
import { modulesOf, roll } from "../lib/bundle.mjs";
import { repositoryRoot } from "../lib/repository.mjs";
import { ensureRuntime, runtimes, thisPlatform } from "./runtimes.mjs";

const output = join(repositoryRoot, "dist", ".standalone");
const page = "dist/emulator/page";
/** The files that the commands read with `readPackageFile`. */
const assets = () => ["package.json", ...readdirSync(join(repositoryRoot, page)).map((name) => `${page}/${name}`)];

/** The folder with the executable of a platform. */
export const folderOf = (platform) => join(output, platform);

/** The file in this folder with the licenses of the bundled packages. */
export const licenses = "third-party-licenses.txt";

/** Builds the executable of a platform, unless it is up to date. Returns the folder with it and the licenses. */
export async function buildStandalone(platform, { rebuild = false } = {}) {
    const folder = folderOf(platform);
    const stamp = join(output, `${platform}.stamp`);
    const from = fingerprintOf(platform);
    mkdirSync(output, { recursive: true });
    await withLock(join(output, "lock"), "builds the single executable", async () => {
        if (!rebuild && existsSync(stamp) && readFileSync(stamp, "utf8") === from) {
            return;
        }
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        const main = join(folder, "main.js");
        const input = join(repositoryRoot, "plugin", "standalone.ts");
        const bundled = { file: main, codeSplitting: false, minify: true };
        const written = await roll({ input, plugins: [withoutUnused] }, bundled);
        writeFileSync(join(folder, licenses), licensesOf(modulesOf(written)));
        const builder = await ensureRuntime(thisPlatform);
        // The same for each platform, but the package for Windows does not contain it.
        copyFileSync(join(builder, "LICENSE"), join(folder, "nodejs-license.txt"));
        await inject(main, platform, folder, join(builder, runtimes.get(thisPlatform).program));
        rmSync(main);
        writeFileSync(stamp, from);
    });
    return folder;
}

function fingerprintOf(platform) {
    const script = readFileSync(fileURLToPath(import.meta.url), "utf8");
    return JSON.stringify([fingerprint(repositoryRoot), runtimes.get(platform), script]);
}

async function inject(main, platform, folder, node) {
    const settings = {
        main,
        executable: join(await ensureRuntime(platform), runtimes.get(platform).program),
        output: join(folder, `pulumi-resource-clouddb${platform.startsWith("windows") ? ".exe" : ""}`),
        disableExperimentalSEAWarning: true,
        // Another platform would reject it.
        useCodeCache: platform === thisPlatform,
        // NODE_OPTIONS of a user may contain what this version or a single executable does not accept.
        execArgv: ["--use-system-ca"],
        execArgvExtension: "none",
        assets: Object.fromEntries(assets().map((path) => [path, join(repositoryRoot, path)])),
    };
    const file = join(folder, "sea.json");
    writeFileSync(file, JSON.stringify(settings));
    // Without --predictable, the code cache has random parts.
    await execa(node, ["--predictable", "--build-sea", file], { env: { NODE_OPTIONS: "" } });
    rmSync(file);
}
