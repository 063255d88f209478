import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { EmulatorStartError } from "../errors";
import type { Settings } from "../options";
import { identityOf } from "../processes";
import { newSecret } from "../secureRandom";
import type { World } from "../world/world";
import { findBinaries, loadPg, type Binaries } from "./binaries";
import { selfSigned } from "./certificate";
import { writeOwned } from "./copy";
import { Fleet } from "./fleet";
import { endServers } from "./endServers";
import {
    abandonedFolders,
    claim,
    dataFolder,
    makeRunFolder,
    makeTemporaryData,
    removeDataFolder,
    temporaryData,
} from "./folders";
import type { Installation } from "./installation";
import { makeTemplate } from "./template";
import { reasonOf } from "./reason";
import { serverUser, type ServerUser } from "./user";
import { Watcher } from "./watcher";

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
    loadPg();
    const user = serverUser();
    const abandoned = removeAbandoned(user);
    const runFolder = makeRunFolder(user);
    claim(runFolder);
    const data = stateFile === undefined ? makeTemporaryData(runFolder, user) : dataFolder(stateFile, user);
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
            removeDataFolder(stateFile);
        }
    };
    try {
        if (stateFile !== undefined) {
            await endServers(data, { patienceMs: earlierMs });
            removeForeignLocks(data);
        }
        await abandoned;
        const binaries = await findBinaries(user, runFolder);
        const installation = await install({ binaries, user, data, log, report });
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

/** Removes the lock file of an ended server if another process has its id now, because PostgreSQL would not start. */
function removeForeignLocks(data: string): void {
    for (const file of readdirSync(data).map((name) => join(data, name, "postmaster.pid"))) {
        if (existsSync(file) && identityOf(Number.parseInt(readFileSync(file, "utf8"), 10)) !== undefined) {
            rmSync(file);
        }
    }
}

/** Removes what killed emulators and their watchers have left. */
const removeAbandoned = (user: ServerUser): Promise<unknown> =>
    Promise.all(
        abandonedFolders(user).map(async (folder) => {
            await endServers(temporaryData(folder), { patienceMs: 0 });
            await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        }),
    );

/** The time that the servers of an earlier emulator get to end by themselves. */
const earlierMs = 2_000;

const passwordBytes = 24;

/** Creates the part that all servers share, or reads that of an earlier emulator. */
async function install(
    given: Pick<Installation, "binaries" | "user" | "data" | "log" | "report">,
): Promise<Installation> {
    const { binaries, data, user } = given;
    const [certificateFile, keyFile] = [join(data, "ca.pem"), join(data, "server.key")];
    const [passwordFile, template] = [join(data, "superuser"), join(data, "template")];
    if (existsSync(template)) {
        checkVersion(template, binaries);
        return { ...given, certificateFile, keyFile, superuserPassword: readFileSync(passwordFile, "utf8") };
    }
    const superuserPassword = newSecret(passwordBytes);
    const { certificate, key } = selfSigned();
    for (const [file, text] of [
        [certificateFile, certificate],
        [keyFile, key],
        [passwordFile, superuserPassword],
    ] as const) {
        await writeOwned(file, text, user);
    }
    const unfinished = `${template}.tmp`;
    rmSync(unfinished, { recursive: true, force: true });
    await makeTemplate({ binaries, user, superuserPassword }, unfinished, data);
    renameSync(unfinished, template);
    return { ...given, certificateFile, keyFile, superuserPassword };
}

function checkVersion(template: string, { major }: Binaries): void {
    const kept = Number(readFileSync(join(template, "PG_VERSION"), "utf8"));
    if (kept !== major) {
        throw new Error(
            `the data next to the state file was created by PostgreSQL ${kept}, but the installed version is ${major}. ` +
                `Install PostgreSQL ${kept}, or choose another state file`,
        );
    }
}
