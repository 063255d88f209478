/** What can be installed: engine, language hosts, code generator. Versions are defined only in the Go modules. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../lib/files.mjs";

/** `tools.go` in the folder of a module imports the programs to build from another module, the `source`. */
const cli = { folder: "cli", source: "github.com/pulumi/pulumi/pkg/v3" };
const hosts = {
    folder: "language-host",
    source: "github.com/pulumi/pulumi/sdk/v3",
    // The host for Python starts the first one, and the engine the other one for dynamic resources.
    scripts: ["python/cmd/pulumi-language-python-exec", "nodejs/dist/pulumi-resource-pulumi-nodejs"],
};
/** Contains its program. The links make it the language hosts for which it generates programs and packages. */
const codegen = {
    ...cli,
    program: "pulumi-clouddb-languages",
    links: ["nodejs", "python", "go", "yaml"].map((language) => `pulumi-language-${language}`),
};

/** The engine includes the language hosts of Node.js, Python and Go. */
const modulesOf = {
    engine: [cli, hosts],
    yaml: [{ folder: "yaml-language-host", source: "github.com/pulumi/pulumi-yaml" }],
    java: [{ folder: "java-language-host", source: "github.com/pulumi/pulumi-java/pkg" }],
    codegen: [codegen],
};

/**
 * The version, a cache key for this machine, and the modules to build.
 *
 * @param {keyof typeof modulesOf} purpose
 * @param {string} [cliVersion] - another version of the engine
 */
export function wanted(purpose, cliVersion) {
    const texts = [];
    const modules = modulesOf[purpose].map(({ folder, source, program, links = [], scripts = [] }) => {
        const path = fileURLToPath(new URL(folder, import.meta.url));
        const sources = program ? filesBelow(join(path, program)).map((file) => join(program, file)) : ["tools.go"];
        // Line endings depend on the checkout.
        const [own, ...others] = ["go.mod", "go.sum", ...sources].map((file) =>
            readFileSync(join(path, file), "utf8").replaceAll("\r\n", "\n"),
        );
        const requirements = cliVersion && folder === cli.folder ? requiring(source, cliVersion, own) : undefined;
        texts.push(requirements ?? own, ...others);
        const [, version] = new RegExp(`^(?:require)?\\s*${source} v(\\S+)`, "m").exec(requirements ?? own);
        const imported = others.at(-1).matchAll(/_ "(.*)"/g);
        const packages = program ? [`./${program}`] : [...imported].map(([, name]) => name);
        return { path, source, version, requirements, packages, program, links, scripts };
    });
    const [{ version }] = modules;
    const target = { os: process.platform, arch: process.arch === "x64" ? "amd64" : process.arch };
    const prefix = purpose === "engine" ? "" : `${purpose}-`;
    const key = `${prefix}${version}-${hash("sha256", texts.join("")).slice(0, 12)}-${target.os}-${target.arch}`;
    return { version, key, target, modules };
}

/** A go.mod that requires only this version of the module. `go mod tidy` adds what it requires. */
function requiring(source, version, mod) {
    const kept = mod.match(/^(module|go|replace) .*$/gm);
    return `${[...kept, `require ${source} v${version}`].join("\n")}\n`;
}
