/**
 * Two ways to fill a folder with the programs of a version. Each throws an error with the reason if it fails. Without a download,
 * only built-in modules of Node are used, because the build can run beside `npm ci`.
 */
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const linesShown = 12;
/** From this memory on, the compiler collects its garbage less often, which saves a fifth of the time. */
const muchMemory = 8 * 2 ** 30;

/** Downloads a release, with Pulumi's own function for that. */
export async function install({ version }, stage) {
    const [{ PulumiCommand }, { default: semver }] = await Promise.all([
        import("@pulumi/pulumi/automation/index.js"),
        import("semver"),
    ]);
    await PulumiCommand.install({ version: semver.parse(version), root: stage });
}

/** Builds the programs from Go modules, for machines that can reach a module proxy but not the releases. */
export async function build({ modules, goos = "" }, stage) {
    const bin = join(stage, "bin");
    const temporary = join(stage, "tmp");
    [bin, temporary].forEach((folder) => mkdirSync(folder));
    // The user's settings must not change what is built.
    const env = {
        GOFLAGS: "-mod=readonly",
        GOWORK: "off",
        GOOS: goos,
        GOARCH: "",
        CGO_ENABLED: "0",
        GOTMPDIR: temporary,
        ...(totalmem() < muchMemory ? {} : { GOGC: "800" }),
    };
    // While one module waits for downloads or its linker, the other one uses the processor.
    const built = modules.map(
        async ({ path, source, version, requirements, modfile, packages, program, links, scripts }) => {
            // Runs in the folder of the module, because go.mod selects the toolchain.
            const cwd =
                requirements === undefined ? path : await tidied(path, requirements, join(stage, "module"), env);
            // Without symbols for a debugger, which the linker would leave out anyway.
            const flags = [
                "-trimpath",
                "-buildvcs=false",
                ...(modfile === undefined ? [] : ["-modfile", modfile]),
                "-gcflags=all=-dwarf=false",
                "-ldflags",
                `-s -w -X ${versionVariable}=v${version}`,
            ];
            await go(["build", "-o", bin, ...flags, ...packages], { cwd, env });
            links.forEach((name) => linkSync(join(bin, program), join(bin, name)));
            for (const script of scripts) {
                const folder = await go(["list", "-m", "-f", "{{.Dir}}", source], { cwd, env });
                copyFileSync(join(folder, script), join(bin, basename(script)));
                chmodSync(join(bin, basename(script)), 0o755);
            }
        },
    );
    const failed = (await Promise.allSettled(built)).find(({ status }) => status === "rejected");
    if (failed) {
        throw failed.reason;
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

/** Runs the Go command, and returns its output. */
export async function go(args, options) {
    try {
        const all = { ...options, env: { ...process.env, ...options.env }, maxBuffer: Infinity };
        return (await promisify(execFile)("go", args, all)).stdout.trim();
    } catch ({ stderr, message }) {
        const output = (stderr ?? "").split("\n").filter(Boolean).slice(-linesShown);
        throw new Error([`go ${args[0]}: ${message.split("\n")[0]}`, ...output].join("\n    | "));
    }
}
