/** The wheel and the source archive of the SDK for Python. */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { execa } from "execa";
import { create, extract } from "tar";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const requirements = join(repositoryRoot, "scripts", "release", "requirements.txt");
/** A call of a build front end (PEP 517), with a fixed umask, because archives contain the modes of files. */
const program = `
import os, sys
from flit_core import buildapi
os.umask(0o022)
getattr(buildapi, sys.argv[1])(sys.argv[2])
`;
const leftOvers = /^(dist|__pycache__)$/;

/** Writes both files to the folder. `epoch` is the time of all files in them, in seconds. */
export async function buildPython(folder, epoch) {
    const python = await ensureBackend();
    const work = mkdtempSync(join(tmpdir(), "clouddb-python-"));
    try {
        const source = join(work, "source");
        cpSync(join(repositoryRoot, "sdk", "python"), source, {
            recursive: true,
            filter: (path) => !leftOvers.test(path.split("/").at(-1)),
        });
        copyFileSync(join(repositoryRoot, "LICENSE"), join(source, "LICENSE"));
        filesIn(source).forEach((file) => chmodSync(file, 0o644));
        const build = async (hook, cwd) => {
            const target = mkdtempSync(join(work, "target-"));
            const env = { SOURCE_DATE_EPOCH: String(epoch) };
            await execa(python, ["-c", program, hook, target], { cwd, env }).catch(({ stderr }) => {
                throw new ScriptError(`The build of the SDK for Python failed:\n${stderr}`);
            });
            const [name] = readdirSync(target);
            return { name, file: join(target, name) };
        };
        const sdist = await build("build_sdist", source);
        const archive = join(folder, sdist.name);
        const unpacked = await repack(sdist.file, archive, epoch, work);
        // From the source archive, which proves that this is complete.
        const wheel = await build("build_wheel", unpacked);
        copyFileSync(wheel.file, join(folder, wheel.name));
    } finally {
        rmSync(work, { recursive: true, force: true });
    }
}

/** A Python with the build backend, which is installed on the first use. */
async function ensureBackend() {
    const key = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
    const environment = join(repositoryRoot, "node_modules", ".cache", `clouddb-release-python-${key}`);
    const python = join(environment, "bin", "python");
    if (existsSync(python)) {
        return python;
    }
    mkdirSync(dirname(environment), { recursive: true });
    const partial = mkdtempSync(`${environment}-`);
    const install = ["-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "-r", requirements];
    try {
        await execa("python3", ["-m", "venv", partial]);
        await execa(join(partial, "bin", "python"), install);
        renameSync(partial, environment);
    } catch (error) {
        rmSync(partial, { recursive: true, force: true });
        throw new ScriptError(
            `The wheel needs Python 3.9 or newer and the packages in ${requirements}: ${error.message}`,
        );
    }
    return python;
}

/**
 * Writes the archive again without what differs from build to build: times, owners and the order of files. Returns the
 * folder with its unpacked content.
 */
async function repack(archive, target, epoch, work) {
    const cwd = mkdtempSync(join(work, "unpacked-"));
    await extract({ file: archive, cwd });
    const files = filesIn(cwd).map((file) => relative(cwd, file));
    await create({ cwd, file: target, gzip: true, portable: true, mtime: new Date(epoch * 1_000) }, files.sort());
    return join(cwd, readdirSync(cwd)[0]);
}

const filesIn = (folder) =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
