/** The required engine. Its version is defined only in the Go modules next to this file. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** The programs to build: the module that each one is from, and its package there. */
const PROGRAMS = [
    { name: "pulumi", folder: "cli", source: "github.com/pulumi/pulumi/pkg/v3", path: "cmd/pulumi" },
    {
        name: "pulumi-language-nodejs",
        folder: "language-host",
        source: "github.com/pulumi/pulumi/sdk/v3",
        path: "nodejs/cmd/pulumi-language-nodejs",
    },
];

/** The version, a cache key for this machine, the oldest Go version that can build it, and the programs to build. */
export function wantedEngine() {
    const hash = createHash("sha256");
    const programs = PROGRAMS.map(({ name, folder, source, path }) => {
        const module = fileURLToPath(new URL(folder, import.meta.url));
        // Line endings depend on the checkout.
        const [mod, sum] = ["go.mod", "go.sum"].map((file) =>
            readFileSync(join(module, file), "utf8").replaceAll("\r\n", "\n"),
        );
        hash.update(mod).update(sum);
        const version = match(mod, new RegExp(`^(?:require)?\\s*${source} v(\\S+)`, "m"));
        const goVersion = match(mod, /^go (\S+)/m);
        const flags = ["-trimpath", "-buildvcs=false", "-ldflags", `-s -w -X ${VERSION_VARIABLE}=v${version}`];
        return { name, module, version, goVersion, build: [...flags, `${source}/${path}`] };
    });
    const [{ version, goVersion }] = programs;
    const target = { os: process.platform, arch: process.arch === "x64" ? "amd64" : process.arch };
    const key = `${version}-${hash.digest("hex").slice(0, 12)}-${target.os}-${target.arch}`;
    return { version, goVersion, key, target, programs };
}

function match(text, pattern) {
    const found = pattern.exec(text)?.[1];
    if (!found) throw new Error(`No match for ${pattern} in go.mod.`);
    return found;
}
