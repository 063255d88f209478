/** What to install: the engine, language hosts and the code generator. Versions are defined only in the Go modules. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cliModule = { folder: "cli", source: "github.com/pulumi/pulumi/pkg/v3" };
const hostsModule = { folder: "language-host", source: "github.com/pulumi/pulumi/sdk/v3" };
const yamlModule = { folder: "yaml-language-host", source: "github.com/pulumi/pulumi-yaml" };
const javaModule = { folder: "java-language-host", source: "github.com/pulumi/pulumi-java/pkg" };
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/**
 * The programs to build for each purpose: the module that each one is from, and its package there. `files` are scripts of
 * the same module.
 */
const enginePrograms = {
    engine: [
        { name: "pulumi", from: cliModule, path: "cmd/pulumi" },
        { name: "pulumi-language-nodejs", from: hostsModule, path: "nodejs/cmd/pulumi-language-nodejs" },
    ],
    python: [
        {
            name: "pulumi-language-python",
            from: hostsModule,
            path: "python/cmd/pulumi-language-python",
            files: ["python/cmd/pulumi-language-python-exec"],
        },
    ],
    go: [{ name: "pulumi-language-go", from: hostsModule, path: "go/pulumi-language-go" }],
    yaml: [{ name: "pulumi-language-yaml", from: yamlModule, path: "cmd/pulumi-language-yaml" }],
    java: [{ name: "pulumi-language-java", from: javaModule, path: "cmd/pulumi-language-java" }],
    codegen: [{ name: "pulumi-clouddb-languages", from: cliModule, local: "languages" }],
};

/**
 * The version, a cache key for this machine, the oldest Go version that can build it, and the programs to build.
 *
 * @param {keyof typeof enginePrograms} purpose
 * @param {string} [cliVersion] - another version of the engine
 */
export function wanted(purpose, cliVersion) {
    const hash = createHash("sha256");
    const programs = enginePrograms[purpose].map(({ name, from: { folder, source }, path, local, files = [] }) => {
        const module = fileURLToPath(new URL(folder, import.meta.url));
        const sources = local ? readdirSync(join(module, local)).map((file) => join(local, file)) : [];
        // Line endings depend on the checkout.
        const [own, ...rest] = ["go.mod", "go.sum", ...sources.sort()].map((file) =>
            readFileSync(join(module, file), "utf8").replaceAll("\r\n", "\n"),
        );
        const requirements = folder === cliModule.folder && cliVersion ? requiring(source, cliVersion, own) : undefined;
        const mod = requirements ?? own;
        for (const text of [mod, ...rest]) {
            hash.update(text);
        }
        const version = match(mod, new RegExp(`^(?:require)?\\s*${source} v(\\S+)`, "m"));
        const goVersion = match(mod, /^go (\S+)/m);
        const flags = ["-trimpath", "-buildvcs=false", "-ldflags", `-s -w -X ${versionVariable}=v${version}`];
        const target = local ? `./${local}` : `${source}/${path}`;
        return { name, module, requirements, source, version, goVersion, build: [...flags, target], files };
    });
    const [{ version, goVersion }] = programs;
    const target = { os: process.platform, arch: process.arch === "x64" ? "amd64" : process.arch };
    const prefix = purpose === "engine" ? "" : `${purpose}-`;
    const key = `${prefix}${version}-${hash.digest("hex").slice(0, 12)}-${target.os}-${target.arch}`;
    return { version, goVersion, key, target, programs };
}

/** A go.mod that requires only this version of the module. `go mod tidy` adds what it requires. */
function requiring(source, version, mod) {
    const kept = mod.match(/^(module|go|replace) .*$/gm);
    return `${[...kept, `require ${source} v${version}`].join("\n")}\n`;
}

function match(text, pattern) {
    const found = pattern.exec(text)?.[1];
    if (!found) {
        throw new Error(`No match for ${pattern} in go.mod.`);
    }
    return found;
}
