/** Builds the engine from Go modules: for machines that reach a module proxy, but no downloads of releases. */
import { homedir } from "node:os";
import { join } from "node:path";
import { addDynamicPlugin } from "./cache.mjs";
import { findOnPath } from "./find.mjs";
import { findVersion, isAtLeast, linkerFlags } from "./modules.mjs";
import { startHeartbeat } from "./report.mjs";
import { run } from "./run.mjs";

/** `go version` may fetch a newer Go first, where the user's GOTOOLCHAIN lets it. */
const VERSION_LIMIT_MS = 3 * 60_000;
const BUILD_LIMIT_MS = 60 * 60_000;
const SHOWN_LINES = 12;

/**
 * @param {import("./get.mjs").Work} work
 * @returns {Promise<import("./get.mjs").Refusal>}
 */
export async function buildFromModules({ wanted, stage, env, logFd, signal, report }) {
    const go = findOnPath("go", env);
    if (!go) return { refused: "no `go` on PATH" };
    const goEnv = buildEnv(wanted, stage, env);
    const tooOld = await checkGoVersion(go, { wanted, env: goEnv, logFd, signal });
    if (tooOld) return { refused: tooOld };
    if (!addDynamicPlugin(stage.bin)) {
        return { refused: "@pulumi/pulumi is not installed: run `npm ci` first, one file of it is needed" };
    }

    report("build", `building Pulumi ${wanted.version} from Go modules: about 4 minutes on two cores, once only`);
    for (const program of wanted.programs) {
        const stopHeartbeat = startHeartbeat(report, "build", program.name);
        const output = join(stage.bin, process.platform === "win32" ? `${program.name}.exe` : program.name);
        const flags = ["-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(program), "-o", output];
        const { failure, lines } = await run(go, ["build", ...flags, program.package], {
            cwd: program.module,
            env: goEnv,
            limitMs: BUILD_LIMIT_MS,
            logFd,
            signal,
        }).finally(stopHeartbeat);
        if (failure) return { refused: `go build of ${program.name}: ${failure}`, details: lines.slice(-SHOWN_LINES) };
    }
    return undefined;
}

/**
 * @param {string} go
 * @param {Pick<import("./get.mjs").Work, "wanted" | "env" | "logFd" | "signal">} work
 * @returns {Promise<string | undefined>} why it will not do
 */
async function checkGoVersion(go, { wanted, env, logFd, signal }) {
    // Asked in the module's folder: the answer is the Go that would build there.
    const cwd = wanted.programs[0]?.module;
    const options = { env, logFd, signal, limitMs: VERSION_LIMIT_MS, ...(cwd && { cwd }) };
    const { stdout, lines, failure } = await run(go, ["version"], options);
    const version = failure ? undefined : findVersion(stdout);
    if (!version) return `${go} does not tell its version: ${lines.at(-1) ?? failure ?? "no output"}`;
    return isAtLeast(version, wanted.goMinimum) ? undefined : `${go} is ${version}, older than ${wanted.goMinimum}`;
}

/**
 * The user's own settings that would change what is built are put out of force;
 * those that say where modules come from, and Go's caches, are the user's.
 *
 * @param {import("./modules.mjs").Wanted} wanted
 * @param {import("./cache.mjs").Stage} stage
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function buildEnv({ target }, stage, env) {
    return {
        ...env,
        HOME: env.HOME || homedir(),
        GOFLAGS: "-mod=readonly",
        GOWORK: "off",
        GO111MODULE: "on",
        GOOS: target.os,
        GOARCH: target.arch,
        CGO_ENABLED: "0",
        GOTMPDIR: stage.temp,
    };
}
