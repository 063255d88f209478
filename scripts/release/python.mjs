/** The wheel and the source archive of the SDK for Python. The build backend makes the same files from the same sources. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const requirements = join(repositoryRoot, "scripts", "release", "requirements.txt");
/** Calls of a build front end (PEP 517). */
const program = `
import sys
from flit_core import buildapi
buildapi.build_sdist(sys.argv[1])
buildapi.build_wheel(sys.argv[1])
`;

/** Writes both files to the folder. `epoch` is the time of all files in them, in seconds. */
export async function buildPython(folder, epoch) {
    const work = mkdtempSync(join(tmpdir(), "clouddb-python-"));
    const [backend, source] = [join(work, "backend"), join(work, "source")];
    try {
        const install = ["-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "--target", backend];
        await execa("python3", [...install, "-r", requirements]);
        cpSync(join(repositoryRoot, "sdk", "python"), source, { recursive: true });
        copyFileSync(join(repositoryRoot, "LICENSE"), join(source, "LICENSE"));
        const env = { PYTHONPATH: backend, SOURCE_DATE_EPOCH: String(epoch) };
        await execa("python3", ["-c", program, folder], { cwd: source, env });
    } catch ({ message }) {
        throw new ScriptError(`The SDK for Python needs Python 3.9 or newer and ${requirements}: ${message}`);
    } finally {
        rmSync(work, { recursive: true, force: true });
    }
}
