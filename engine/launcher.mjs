/** Gets the engine through the official launcher: the npm package `pulumi`, which downloads the CLI on first use. */
import { renameSync } from "node:fs";
import { basename, join } from "node:path";
import { addDynamicPlugin } from "./cache.mjs";
import { DYNAMIC_PLUGIN, completeEngine, findIn, findOnPath } from "./find.mjs";
import { startHeartbeat } from "./report.mjs";
import { run } from "./run.mjs";

const LIMIT_MS = 5 * 60_000;
const LAUNCHER_SAYS = "pulumi: ";

/**
 * @param {import("./get.mjs").Work} work
 * @returns {Promise<import("./get.mjs").Refusal>}
 */
export async function downloadByLauncher({ wanted, stage, env, logFd, signal, report }) {
    if (process.platform === "win32") return { refused: "not used on Windows" };
    const npm = findOnPath("npm", env);
    if (!npm) return { refused: "no `npm` on PATH" };

    report("launcher", `downloading Pulumi ${wanted.version} with the npm package pulumi`);
    const stopHeartbeat = startHeartbeat(report, "launcher", "downloading");
    const home = join(stage.folder, "launcher");
    const { failure, lines } = await run(npm, npmArguments(wanted.version), {
        cwd: stage.temp,
        env: launcherEnv(env, { home, temp: stage.temp, version: wanted.version }),
        limitMs: LIMIT_MS,
        logFd,
        signal,
    }).finally(stopHeartbeat);
    if (failure) return { refused: `the download failed: ${mainLine(lines) ?? failure}` };

    const downloaded = join(home, "versions", wanted.version, "bin");
    // The download has hosts for all languages; they would only take room.
    for (const name of ["pulumi", "pulumi-language-nodejs", DYNAMIC_PLUGIN]) {
        const file = findIn(downloaded, name);
        if (file) renameSync(file, join(stage.bin, basename(file)));
    }
    addDynamicPlugin(stage.bin);
    return completeEngine(stage.bin) ? undefined : { refused: "what it downloaded is not a whole engine" };
}

/** @param {string} version */
function npmArguments(version) {
    const quick = ["--fetch-retries=1", "--fetch-timeout=30000", "--no-update-notifier", "--loglevel=error"];
    return ["exec", "--yes", ...quick, `--package=pulumi@${version}`, "--", "pulumi", "version"];
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{ home: string, temp: string, version: string }} own
 */
function launcherEnv(env, { home, temp, version }) {
    // Inside `npm run` these would tie npm to the script's own package and workspaces.
    const ofTheScript =
        /^npm_(package_|lifecycle_|command$|config_(local_prefix|workspaces?|include_workspace_root)$)/i;
    const kept = Object.entries(env).filter(([name]) => !ofTheScript.test(name));
    return {
        ...Object.fromEntries(kept),
        PULUMI_HOME: home,
        PULUMI_VERSION: version,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        TMPDIR: temp,
    };
}

/**
 * @param {string[]} lines
 * @returns {string | undefined} the one that says what went wrong
 */
function mainLine(lines) {
    const ofLauncher = lines.findLast((line) => line.startsWith(LAUNCHER_SAYS));
    return ofLauncher?.slice(LAUNCHER_SAYS.length) ?? lines.find((line) => /^npm (error|ERR!)/.test(line));
}
