/** Two ways to fill a folder with the programs of a version. Each throws an error with the reason if it fails. */
import { chmodSync, copyFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { execa } from "execa";
import semver from "semver";

const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const linesShown = 12;

/** Downloads a release, with Pulumi's own function for that. */
export async function install({ version }, stage) {
    // Only here, because it loads slowly.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    await PulumiCommand.install({ version: semver.parse(version), root: stage });
}

/** Builds the programs from Go modules, for machines that can reach a module proxy but not the releases. */
export async function build({ modules }, stage) {
    const bin = join(stage, "bin");
    const temporary = join(stage, "tmp");
    [bin, temporary].forEach((folder) => mkdirSync(folder));
    // The user's settings must not change what is built.
    const env = {
        GOFLAGS: "-mod=readonly",
        GOWORK: "off",
        GOOS: "",
        GOARCH: "",
        CGO_ENABLED: "0",
        GOTMPDIR: temporary,
    };
    for (const { path, source, version, requirements, packages, program, links, scripts } of modules) {
        // Runs in the folder of the module, because go.mod selects the toolchain.
        const cwd = requirements === undefined ? path : await tidied(path, requirements, join(stage, "module"), env);
        const flags = ["-trimpath", "-buildvcs=false", "-ldflags", `-s -w -X ${versionVariable}=v${version}`];
        await go(["build", "-o", bin, ...flags, ...packages], { cwd, env });
        links.forEach((name) => linkSync(join(bin, program), join(bin, name)));
        for (const script of scripts) {
            const folder = await go(["list", "-m", "-f", "{{.Dir}}", source], { cwd, env });
            copyFileSync(join(folder, script), join(bin, basename(script)));
            chmodSync(join(bin, basename(script)), 0o755);
        }
    }
}

/** Writes a module with other requirements, which builds the same programs. Returns its folder. */
async function tidied(module, requirements, folder, env) {
    mkdirSync(folder);
    copyFileSync(join(module, "tools.go"), join(folder, "tools.go"));
    writeFileSync(join(folder, "go.mod"), requirements);
    await go(["mod", "tidy"], { cwd: folder, env: { ...env, GOFLAGS: "-mod=mod" } });
    return folder;
}

async function go(args, options) {
    try {
        return (await execa("go", args, { stdin: "ignore", ...options })).stdout;
    } catch ({ stderr, originalMessage, shortMessage }) {
        const output = (stderr ?? "").split("\n").filter(Boolean).slice(-linesShown);
        throw new Error([`go ${args[0]}: ${originalMessage || shortMessage}`, ...output].join("\n    | "));
    }
}
