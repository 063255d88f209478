import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorStartError } from "../errors";
import type { Settings } from "../options";
import { identityOf } from "../processes";
import { newSecret } from "../secureRandom";
import type { World } from "../world/world";
import { findBinaries, loadPg, type Binaries } from "./binaries";
import { selfSigned } from "./certificate";
import { Fleet } from "./fleet";
import { endServers } from "./endServers";
import {
    abandonedFolders,
    claim,
    dataFolder,
    makeRunFolder,
    makeTemporaryData,
    removeDataFolder,
    secretFile,
    temporaryData,
} from "./folders";
import { makeServerFolder, readInside, removeTree } from "./inside";
import { passwordsFrom, type Installation } from "./installation";
import { makeTemplate } from "./template";
import { reasonOf } from "./reason";
import { serverUser, type ServerUser } from "./user";
import { cleanUp, Watcher } from "./watcher";

/** The self-signed certificate of the PostgreSQL servers. */
export interface ServerCertificate {
    /** The certificate in PEM format, for example for `ssl: { ca }` of node-postgres. */
    readonly pem: string;
    /** The path of a file with the certificate, for example for `NODE_EXTRA_CA_CERTS` or `sslrootcert`. */
    readonly file: string;
}

/** The PostgreSQL servers behind a world. */
export interface Postgres {
    certificate: ServerCertificate;
    fleet: Fleet;
    /** Stops the servers and removes temporary data. */
    close: () => Promise<void>;
}

/** Starts the servers of a world. `save` writes its state. */
export async function startPostgres(
    { stateFile, log, report }: Pick<Settings, "stateFile" | "log" | "report">,
    world: World,
    save: () => Promise<void>,
): Promise<Postgres> {
    if (process.platform === "win32") {
        throw new EmulatorStartError("postgres-failed", onWindows);
    }
    loadPg();
    const user = serverUser();
    const kept = stateFile === undefined ? undefined : dataFolder(stateFile, user);
    const abandoned = removeAbandoned(user);
    const runFolder = makeRunFolder(user);
    claim(runFolder);
    const data = kept ?? makeTemporaryData(runFolder, user);
    // From here on, the watcher of an earlier emulator with the same state file leaves the servers alone.
    claim(data);
    const watcher = new Watcher({ run: runFolder, data, isKept: stateFile !== undefined }, report);
    let fleet: Fleet | undefined;
    const close = async (): Promise<void> => {
        const closed = fleet?.close();
        if (stateFile === undefined) {
            // Nothing is kept, so the work in progress does not need to succeed.
            await endServers(data, { patienceMs: 0 });
        }
        await closed;
        await watcher.finish();
        if (stateFile !== undefined && fleet?.isEmpty) {
            await removeDataFolder(stateFile);
        }
    };
    try {
        if (stateFile !== undefined) {
            await endServers(data, { patienceMs: earlierMs });
            removeForeignLocks(data, user);
        }
        await abandoned;
        const binaries = await findBinaries(user, runFolder);
        const installation = await install({ binaries, user, data, home: runFolder, log, report });
        fleet = new Fleet(installation, world, save);
        await fleet.adopt();
        const { certificateFile: file } = installation;
        return { certificate: { file, pem: readFileSync(file, "utf8") }, fleet, close };
    } catch (error) {
        const reason = await reasonOf(error, data);
        await close();
        throw error instanceof EmulatorStartError
            ? error
            : new EmulatorStartError("postgres-failed", `PostgreSQL failed to start: ${reason}`, { cause: error });
    }
}

const onWindows =
    "On Windows, the emulator runs no PostgreSQL: it ends servers by signals, which Windows does not have. Start it in the Windows Subsystem for Linux, or without --postgres (option postgres).";

/** Removes the lock file of an ended server if another process has its id now, because PostgreSQL would not start. */
function removeForeignLocks(data: string, user: ServerUser): void {
    for (const file of readdirSync(data).map((name) => join(data, name, "postmaster.pid"))) {
        const pid = Number.parseInt(readInside(user, file), 10);
        if (pid > 0 && identityOf(pid) !== undefined) {
            rmSync(file);
        }
    }
}

/** Removes what killed emulators and their watchers have left. */
const removeAbandoned = (user: ServerUser): Promise<unknown> =>
    Promise.all(
        abandonedFolders(user).map((run) =>
            cleanUp({ run, data: temporaryData(run), isKept: false }, { patienceMs: 0 }, endServers, removeTree),
        ),
    );

/** The time that the servers of an earlier emulator get to end by themselves. */
const earlierMs = 2_000;

const secretBytes = 24;

/** Creates the part that all servers share, or reads that of an earlier emulator. */
async function install(
    given: Pick<Installation, "binaries" | "user" | "data" | "home" | "log" | "report">,
): Promise<Installation> {
    const { binaries, data, user } = given;
    const [certificateFile, keyFile] = [join(data, "ca.pem"), join(data, "server.key")];
    const [secretPath, template] = [join(data, secretFile), join(data, "template")];
    const isKept = existsSync(template);
    const secret = isKept ? readFileSync(secretPath, "utf8") : newSecret(secretBytes);
    const installation = { ...given, certificateFile, keyFile, passwordOf: passwordsFrom(secret) };
    if (isKept) {
        checkVersion(Number(readInside(user, join(template, "PG_VERSION"))), binaries);
        return installation;
    }
    const { certificate, key } = selfSigned();
    writeNew(certificateFile, certificate, user);
    writeNew(keyFile, key, user);
    writeNew(secretPath, secret);
    const unfinished = `${template}.tmp`;
    await removeTree(unfinished);
    await makeServerFolder(unfinished, user);
    await makeTemplate(installation, unfinished);
    renameSync(unfinished, template);
    return installation;
}

/** Writes a file that nobody else can read, or only another user of the servers. */
function writeNew(path: string, text: string, { gid }: ServerUser = {}): void {
    // Of a start that was killed.
    rmSync(path, { force: true });
    writeFileSync(path, text, { flag: "wx", mode: gid === undefined ? 0o600 : 0o640 });
    if (gid !== undefined) {
        chownSync(path, 0, gid);
    }
}

function checkVersion(kept: number, { major }: Binaries): void {
    if (kept !== major) {
        throw new Error(
            `the data next to the state file was created by PostgreSQL ${kept}, but the installed version is ${major}. ` +
                `Install PostgreSQL ${kept}, or choose another state file`,
        );
    }
}
