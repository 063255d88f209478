import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runNode, type Ended } from "../../../support/child";
import { root as repository } from "../../../support/documents";
import { newFolder } from "../../../support/folder";

/** A fake machine: a copy of scripts/engine/ and its helpers, a fake node_modules, a HOME, and a PATH with a few basic tools. */
export class Sandbox {
    readonly root = newFolder();
    readonly repository = join(this.root, "repository");
    readonly home = join(this.root, "home");
    readonly path = join(this.root, "path");
    private readonly module = join(this.repository, "scripts", "engine", "setup.mjs");
    readonly env: Record<string, string> = { HOME: this.home, PATH: this.path, CALLS: join(this.root, "calls") };

    constructor() {
        for (const folder of [this.home, this.path]) {
            mkdirSync(folder);
        }
        for (const copied of ["scripts/engine", "scripts/lib", "package.json"]) {
            cpSync(join(repository, copied), join(this.repository, copied), { recursive: true });
        }
        this.program("repository/node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs", "echo plugin");
        writeFileSync(join(this.repository, "node_modules", "@pulumi", "pulumi", "package.json"), "{}");
        // Node searches here for modules that are missing in the fake node_modules.
        symlinkSync(join(repository, "node_modules"), join(this.root, "node_modules"));
        for (const tool of ["sh", "cat", "mkdir", "chmod", "env", "grep"]) {
            this.link(tool);
        }
    }

    /** Writes a shell script that logs its calls. */
    program(file: string, body: string): void {
        const path = join(this.root, file);
        const name = file.split("/").at(-1) ?? file;
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> "$CALLS"\n${body}\n`, { mode: 0o755 });
    }

    /** A Pulumi of this version, which does not run without one. */
    pulumiOnPath(version: string | undefined, hasHost = true): void {
        this.program("path/pulumi", version === undefined ? "echo broken; exit 3" : `echo v${version}`);
        if (hasHost) {
            this.program("path/pulumi-language-nodejs", "");
        }
    }

    /** A fake Go: `build` creates scripts that print the version that they were linked with. */
    goOnPath(build = fakeBuild): void {
        this.program(
            "path/go",
            `if [ "$1" = version ]; then echo "go version go1.26.8 linux/amd64"; exit; fi\n${build}`,
        );
    }

    /** A curl that downloads the installer. */
    curlOnPath(installer: string): void {
        this.program("path/curl", `cat <<'END'\n${installer}\nEND`);
    }

    calls(program: string): string[] {
        const all = existsSync(this.env.CALLS ?? "") ? readFileSync(this.env.CALLS ?? "", "utf8").split("\n") : [];
        return all.filter((line) => line.startsWith(`${program} `));
    }

    get cacheRoot(): string {
        return join(this.home, ".cache", "pulumi-clouddb", "engine");
    }

    /** The names in the cache. */
    cached(): string[] {
        return existsSync(this.cacheRoot) ? readdirSync(this.cacheRoot) : [];
    }

    /** Builds an engine into the cache. Forgets the calls. */
    async fillCache(): Promise<void> {
        this.goOnPath();
        await this.setUp();
        rmSync(this.env.CALLS ?? "");
    }

    /** Runs the command. */
    setUp(args: string[] = [this.module]): Promise<Ended> {
        return runNode(args, this.root, this.env);
    }

    /** The engine, and the PATH of a process that uses it. */
    async ensureEngine(path: string): Promise<{ engine: unknown; path: string }> {
        const source = `
            import { ensureEngine, pathWithEngine } from ${JSON.stringify(this.module)};
            const engine = await ensureEngine();
            console.log(JSON.stringify({ engine, path: pathWithEngine(engine, ${JSON.stringify(path)}) }));`;
        const { stdout } = await this.setUp(["--input-type=module", "--eval", source]);
        return JSON.parse(stdout) as { engine: unknown; path: string };
    }

    private link(tool: string): void {
        const found = ["/bin", "/usr/bin"].map((folder) => join(folder, tool)).find((file) => existsSync(file));
        if (found) {
            symlinkSync(found, join(this.path, tool));
        }
    }
}

export const fakeBuild = `
while [ $# -gt 1 ]; do
    case "$1" in
        -o) output=$2; shift ;;
        -ldflags) linked=\${2##*=} ; shift ;;
    esac
    shift
done
printf '#!/bin/sh\\necho %s\\n' "$linked" > "$output"
chmod +x "$output"`;

/** Accepts the options of Pulumi's installer, and installs the same programs. */
export const fakeInstaller = `
while [ $# -gt 0 ]; do
    case "$1" in
        --version) version=$2; shift ;;
        --install-root) root=$2; shift ;;
    esac
    shift
done
mkdir -p "$root/bin"
for name in pulumi pulumi-language-nodejs pulumi-resource-pulumi-nodejs; do
    printf '#!/bin/sh\\necho v%s\\n' "$version" > "$root/bin/$name"
    chmod +x "$root/bin/$name"
done`;
