import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeServerFolder, removeTree, writeInside } from "./inside";
import { poolerName, superuserName, verifierOf, type Installation } from "./installation";
import { host, isFree } from "./ports";
import { run, serverEnvironment } from "./process";

/** A running connection pooler. */
export interface Pooler {
    close: () => Promise<void>;
}

export interface PoolerOptions {
    /** The folder of the pooler, next to that of the server. */
    folder: string;
    port: number;
    serverPort: number;
}

/** Starts pgbouncer if it is on PATH, otherwise a proxy that does not pool. */
export async function openPooler(installation: Installation, options: PoolerOptions): Promise<Pooler> {
    const { port } = options;
    if (!(await isFree(port))) {
        throw new Error(`port ${port} of its connection pooler is in use by another process. End that process`);
    }
    const program = findPgbouncer();
    if (program !== undefined && (await hasAuthDatabase(program))) {
        return startPgbouncer(program, installation, options);
    }
    installation.log(
        `The connection pooler on port ${port} is a proxy without pooling because pgbouncer 1.19 or newer is not on PATH.`,
    );
    return startProxy(options);
}

/** Whether pgbouncer can read passwords in another database than that of the client, which belongs to the role of the service. */
async function hasAuthDatabase(program: string): Promise<boolean> {
    const { stdout } = await run(program, ["--version"]).catch(() => ({ stdout: "" }));
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
    return Number(major) > 1 || Number(minor) >= firstWithAuthDatabase;
}

const firstWithAuthDatabase = 19;

const findPgbouncer = (): string | undefined =>
    (process.env.PATH ?? "")
        .split(delimiter)
        .map((folder) => join(folder, "pgbouncer"))
        .find((file) => existsSync(file));

async function startProxy({ port, serverPort }: PoolerOptions): Promise<Pooler> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
        const upstream = connect(serverPort, host);
        for (const [socket, other] of [
            [client, upstream],
            [upstream, client],
        ] as const) {
            sockets.add(socket);
            socket.pipe(other);
            socket.on("error", () => other.destroy());
            socket.once("close", () => {
                sockets.delete(socket);
                other.destroy();
            });
        }
    });
    await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, resolve).unref();
    });
    return {
        close: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                for (const socket of sockets) {
                    socket.destroy();
                }
            }),
    };
}

const pollMs = 20;

async function startPgbouncer(program: string, installation: Installation, options: PoolerOptions): Promise<Pooler> {
    const { passwordOf, user, home } = installation;
    const { folder, port } = options;
    const [ini, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
    await removeTree(folder);
    await makeServerFolder(folder, user);
    await writeInside(user, users, `"${poolerName}" "${passwordOf(poolerName)}"\n`);
    await writeInside(user, ini, configuration(installation, options, users));
    const child = spawn(program, ["-q", ini], {
        ...user,
        cwd: folder,
        env: serverEnvironment(home),
        stdio: "ignore",
        detached: true,
    });
    child.unref();
    const ended = new Promise<void>((resolve) => {
        child.once("error", () => resolve());
        child.once("exit", () => resolve());
    });
    while (await isFree(port)) {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
            throw new Error(`pgbouncer failed to start. To see the reason, run ${program} ${ini}`);
        }
        await sleep(pollMs);
    }
    return {
        close: async () => {
            child.ref();
            child.kill("SIGTERM");
            child.kill("SIGINT");
            await ended;
            await removeTree(folder);
        },
    };
}

/** Reads the passwords from the server with `auth_query`, so that they are always current and not in this file. */
const configuration = (
    { certificateFile, keyFile }: Installation,
    { folder, port, serverPort }: PoolerOptions,
    users: string,
): string => `[databases]
* = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
unix_socket_dir =
pidfile = ${join(folder, "pgbouncer.pid")}
pool_mode = transaction
default_pool_size = 5
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,options,search_path
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${poolerName}
auth_dbname = ${superuserName}
auth_query = SELECT usename, passwd FROM ${verifierOf}($1)
client_tls_sslmode = require
client_tls_cert_file = ${certificateFile}
client_tls_key_file = ${keyFile}
server_tls_sslmode = require
server_login_retry = 1
`;
