/**
 * What is to be had: versions and packages, read from the two Go modules beside
 * this file, so that a number stands in one place only.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The oldest `pulumi` on PATH that is taken. Dynamic providers are given the
 * stack's configuration since the end of 2024; this is the first release with a
 * safe distance to that.
 */
export const MINIMUM_ON_PATH = "3.150.0";

/**
 * One program to build from a Go module of ours.
 *
 * @typedef {object} GoProgram
 * @property {string} name - file name, without the suffix of the system
 * @property {string} module - folder of the module
 * @property {string} package - Go package to build
 * @property {string} version - version that it is built from and reports
 */

/**
 * The engine that the cache is to hold.
 *
 * @typedef {object} Wanted
 * @property {string} version - version of the Pulumi CLI
 * @property {string} goMinimum - oldest Go that can build it
 * @property {GoProgram[]} programs
 * @property {{ os: string, arch: string }} target - in Go's words
 * @property {string} key - names exactly this engine for this machine
 */

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** @returns {Wanted} */
export function wantedEngine() {
    const cli = readProgram("cli", "pulumi", {
        module: "github.com/pulumi/pulumi/pkg/v3",
        path: "cmd/pulumi",
    });
    const host = readProgram("language-host", "pulumi-language-nodejs", {
        module: "github.com/pulumi/pulumi/sdk/v3",
        path: "nodejs/cmd/pulumi-language-nodejs",
    });
    const hash = createHash("sha256");
    for (const { module } of [cli, host]) {
        for (const file of ["go.mod", "go.sum"]) {
            // Line endings differ between checkouts, the engine does not.
            hash.update(readFileSync(join(module, file), "utf8").replaceAll("\r\n", "\n"));
        }
    }
    const target = goTarget();
    const digest = hash.digest("hex").slice(0, 12);
    return {
        version: cli.version,
        goMinimum: readGoMinimum(cli.module),
        programs: [cli, host],
        target,
        key: `${cli.version}-${digest}-${target.os}-${target.arch}`,
    };
}

/**
 * @param {GoProgram} program
 * @returns {string} the linker flags: small, and knowing its own version
 */
export function linkerFlags(program) {
    return `-s -w -X ${VERSION_VARIABLE}=v${program.version}`;
}

/**
 * @param {string} text - whatever a `version` command printed
 * @returns {string | undefined} the first x.y.z or x.y in it; a release
 *   candidate counts as its release
 */
export function findVersion(text) {
    return /\d+\.\d+(\.\d+)?/.exec(text)?.[0];
}

/**
 * @param {string} version
 * @param {string} minimum
 */
export function isAtLeast(version, minimum) {
    const have = version.split(".").map(Number);
    for (const [place, needed] of minimum.split(".").map(Number).entries()) {
        const difference = (have[place] ?? 0) - needed;
        if (difference !== 0) return difference > 0;
    }
    return true;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {{ module: string, path: string }} source
 * @returns {GoProgram}
 */
function readProgram(folder, name, source) {
    const module = fileURLToPath(new URL(folder, import.meta.url));
    const required = readFileSync(join(module, "go.mod"), "utf8")
        .split("\n")
        .map((line) =>
            line
                .replace(/^require/, "")
                .trim()
                .split(/\s+/),
        )
        .find(([path]) => path === source.module);
    const version = required?.[1]?.replace(/^v/, "");
    if (!version) {
        throw new Error(`${join(module, "go.mod")} does not require ${source.module}`);
    }
    return { name, module, package: `${source.module}/${source.path}`, version };
}

/** @param {string} module */
function readGoMinimum(module) {
    const line = /^go (\S+)/m.exec(readFileSync(join(module, "go.mod"), "utf8"));
    if (!line?.[1]) throw new Error(`${join(module, "go.mod")} names no go version`);
    return line[1];
}

function goTarget() {
    /** @type {Record<string, string>} */
    const arches = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };
    return {
        os: process.platform === "win32" ? "windows" : process.platform,
        arch: arches[process.arch] ?? process.arch,
    };
}
