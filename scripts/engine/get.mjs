/** Two ways to install an engine in a folder. Each throws an error with the reason if it fails. */
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { execa } from "execa";
import semver from "semver";

const downloadLimitMs = 5 * 60_000;
const buildLimitMs = 60 * 60_000;
const linesShown = 12;

/** Downloads a release, with Pulumi's own function for that. */
export async function install({ version }, stage) {
    // Only here, because it loads slowly.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    await PulumiCommand.install({ version: semver.parse(version), root: stage });
}

/** Builds the engine from Go modules, for machines that can reach a module proxy but not the releases. */
export async function build({ goVersion, target, programs }, stage) {
    const env = {
        HOME: process.env.HOME || homedir(),
        // The user's settings must not change what is built.
        GOFLAGS: "-mod=readonly",
        GOWORK: "off",
        GO111MODULE: "on",
        CGO_ENABLED: "0",
        GOOS: target.os,
        GOARCH: target.arch,
        GOTMPDIR: join(stage, "tmp"),
    };
    // Runs in the folder of the module, because go.mod selects the toolchain.
    const { stdout } = await run("go", ["version"], { cwd: programs[0].module, env });
    const installed = semver.coerce(stdout.replace("go version go", ""))?.version ?? stdout;
    if (!semver.gte(installed, goVersion)) {
        throw new Error(`Go is ${installed}, but ${goVersion} or newer is required`);
    }
    for (const { name, module, requirements, source, build: args, files } of programs) {
        const cwd =
            requirements === undefined ? module : await tidied(module, requirements, join(stage, "module"), env);
        const options = { cwd, env, timeout: buildLimitMs };
        await run("go", ["build", "-o", join(stage, "bin", name), ...args], options);
        if (files.length === 0) {
            continue;
        }
        const { stdout: folder } = await run("go", ["list", "-m", "-f", "{{.Dir}}", source], options);
        for (const file of files) {
            const copy = join(stage, "bin", basename(file));
            copyFileSync(join(folder, file), copy);
            chmodSync(copy, 0o755);
        }
    }
}

/** Writes a module with other requirements, which builds the same programs. Returns its folder. */
async function tidied(module, requirements, folder, env) {
    mkdirSync(folder);
    copyFileSync(join(module, "tools.go"), join(folder, "tools.go"));
    writeFileSync(join(folder, "go.mod"), requirements);
    await run("go", ["mod", "tidy"], { cwd: folder, env: { ...env, GOFLAGS: "-mod=mod" } });
    return folder;
}

async function run(command, args, options = {}) {
    try {
        return await execa(command, args, {
            stdin: "ignore",
            all: true,
            timeout: downloadLimitMs,
            ...options,
        });
    } catch (error) {
        const output = (error.all ?? "").split("\n").filter(Boolean).slice(-linesShown);
        throw new Error(
            [`${command} ${args[0]}: ${error.originalMessage || error.shortMessage}`, ...output].join("\n    | "),
        );
    }
}
