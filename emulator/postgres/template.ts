import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries";
import { writeOwned } from "./copy";
import { scramVerifier } from "../world/password";
import { databaseName, roleName } from "../world/roles";
import { superuserName } from "./installation";
import { host } from "./ports";
import { run } from "./process";
import { logFolder, logName } from "./serverLog";
import type { ServerUser } from "./user";

/** The first major version with builtin locales. */
const builtinLocales = 17;
const ioMethods = 18;
/** Before, a role that may create roles could grant itself access to the files of the server's user. */
const limitedCreateRole = 16;

/** Creates the folder of a server with the role and the database of every new service. */
export async function makeTemplate(
    { binaries, user, superuserPassword }: { binaries: Binaries; user: ServerUser; superuserPassword: string },
    folder: string,
    cwd: string,
): Promise<void> {
    const locale =
        binaries.major >= builtinLocales
            ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
            : ["--locale=C"];
    // The role has no password yet.
    const options = ["--auth=trust", "--wal-segsize=1", "--no-sync", "--no-instructions", "--encoding=UTF8", ...locale];
    await must(run(binaries.initdb, ["-D", folder, "-U", superuserName, ...options], { user, cwd }));
    await appendFile(join(folder, "postgresql.conf"), settings(binaries));
    await writeOwned(join(folder, "pg_hba.conf"), access, user);
    const single = ["--single", "-D", folder, "-c", "logging_collector=off", superuserName];
    await must(run(binaries.postgres, single, { user, cwd, input: statements(binaries, superuserPassword) }));
}

async function must(ended: ReturnType<typeof run>): Promise<void> {
    const { code, stderr, stdout } = await ended;
    if (code !== 0 || stderr.includes("ERROR:")) {
        throw new Error((stderr || stdout).trim());
    }
}

const statements = ({ major }: Binaries, superuserPassword: string): string => `
ALTER ROLE ${superuserName} PASSWORD '${scramVerifier(superuserPassword)}';
CREATE ROLE ${roleName} LOGIN CREATEDB ${major >= limitedCreateRole ? "CREATEROLE" : ""};
GRANT pg_monitor, pg_signal_backend TO ${roleName};
CREATE DATABASE ${databaseName} OWNER ${roleName};
`;

/** Clients must use TLS, as on the platform. The emulator and the replicas do not. */
const access = `
hostssl all all ${host}/32 scram-sha-256
host all ${superuserName} ${host}/32 scram-sha-256
host replication ${superuserName} ${host}/32 scram-sha-256
`;

/** Settings for a small server. A power failure can corrupt its data. */
const settings = ({ major }: Binaries): string => `
listen_addresses = '${host}'
unix_socket_directories = ''
ssl = on
fsync = off
shared_buffers = 16MB
min_wal_size = 5MB
max_wal_size = 64MB
wal_keep_size = 64MB
wal_retrieve_retry_interval = 200ms
dynamic_shared_memory_type = mmap
max_logical_replication_workers = 0
jit = off
timezone = UTC
log_timezone = UTC
log_destination = jsonlog
logging_collector = on
log_directory = ${logFolder}
log_filename = '${logName}'
log_rotation_age = 0
log_rotation_size = 0
${major >= ioMethods ? "io_method = sync" : ""}
`;
