import { join } from "node:path";
import type { Binaries } from "./binaries";
import { scramVerifier } from "../world/password";
import { databaseName, roleName } from "../world/roles";
import { writeInside } from "./inside";
import { poolerName, replicationName, superuserName, verifierOf, type Installation } from "./installation";
import { host } from "./ports";
import { must, run } from "./process";
import { logFolder, logName } from "./serverLog";

/** The first major version with builtin locales. */
const builtinLocales = 17;
const ioMethods = 18;
/** Before, a role that may create roles could grant itself access to the files of the server's user. */
const limitedCreateRole = 16;

/** Fills the empty folder of a server with the role and the database of every new service. */
export async function makeTemplate(
    {
        binaries,
        user,
        home,
        data,
        passwordOf,
    }: Pick<Installation, "binaries" | "user" | "home" | "data" | "passwordOf">,
    folder: string,
): Promise<void> {
    const given = { user, home, cwd: data };
    const locale =
        binaries.major >= builtinLocales
            ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
            : ["--locale=C"];
    // The role has no password yet.
    const options = ["--auth=trust", "--wal-segsize=1", "--no-sync", "--no-instructions", "--encoding=UTF8", ...locale];
    await must(run(binaries.initdb, ["-D", folder, "-U", superuserName, ...options], given));
    await writeInside(user, join(folder, "postgresql.conf"), settings(binaries), "a");
    await writeInside(user, join(folder, "pg_hba.conf"), access);
    const single = ["--single", "-D", folder, "-c", "logging_collector=off", superuserName];
    await must(run(binaries.postgres, single, { ...given, input: statements(binaries, passwordOf) }));
}

/**
 * One statement a line. The role of the service gets what does not lead out of its database: no settings of the server, whose
 * values can be secret. The pooler reads verifiers of passwords with a function in a database in which only the emulator writes.
 */
const statements = ({ major }: Binaries, passwordOf: Installation["passwordOf"]): string => `
ALTER ROLE ${superuserName} PASSWORD '${scramVerifier(passwordOf(superuserName))}';
CREATE ROLE ${replicationName} LOGIN REPLICATION PASSWORD '${scramVerifier(passwordOf(replicationName))}';
CREATE ROLE ${poolerName} LOGIN PASSWORD '${scramVerifier(passwordOf(poolerName))}';
CREATE ROLE ${roleName} LOGIN CREATEDB ${major >= limitedCreateRole ? "CREATEROLE" : ""};
GRANT pg_read_all_stats, pg_signal_backend TO ${roleName};
CREATE DATABASE ${databaseName} OWNER ${roleName};
REVOKE TEMPORARY ON DATABASE ${superuserName} FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
CREATE SCHEMA ${poolerName};
CREATE FUNCTION ${verifierOf}(role name) RETURNS TABLE (usename name, passwd text) LANGUAGE sql SECURITY DEFINER SET search_path = '' AS 'SELECT usename, passwd FROM pg_catalog.pg_shadow WHERE usename = role AND NOT usesuper AND NOT userepl';
REVOKE EXECUTE ON FUNCTION ${verifierOf} FROM PUBLIC;
GRANT USAGE ON SCHEMA ${poolerName} TO ${poolerName};
GRANT EXECUTE ON FUNCTION ${verifierOf} TO ${poolerName};
`;

/** Clients must use TLS, as on the platform. The emulator and the replicas do not. */
const access = `
hostssl all all ${host}/32 scram-sha-256
host all ${superuserName} ${host}/32 scram-sha-256
host replication ${replicationName} ${host}/32 scram-sha-256
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
