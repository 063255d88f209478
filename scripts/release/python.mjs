/** The wheel and the source archive of the SDK for Python. The build backend makes the same files from the same sources. */
import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { inNewFolder } from "../lib/files.mjs";
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
export const buildPython = (folder, epoch) =>
    inNewFolder(async (work) => {
        const [backend, source] = [join(work, "backend"), join(work, "source")];
        const install = ["-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "--target", backend];
        await execa("python3", [...install, "-r", requirements]);
        cpSync(join(repositoryRoot, "sdk", "python"), source, { recursive: true });
        copyFileSync(join(repositoryRoot, "LICENSE"), join(source, "LICENSE"));
        const env = { PYTHONPATH: backend, SOURCE_DATE_EPOCH: String(epoch) };
        await execa("python3", ["-c", program, folder], { cwd: source, env });
    }).catch(({ message }) => {
        throw new ScriptError(`The SDK for Python needs Python 3.10 or newer and ${requirements}: ${message}`);
    });
