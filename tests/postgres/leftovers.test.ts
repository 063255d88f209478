import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmulator } from "../../emulator";
import { copyEmbedded, embeddedFolder, findBinaries } from "../../emulator/postgres/binaries";
import { makeTemplate } from "../../emulator/postgres/template";
import { serverUser } from "../../emulator/postgres/user";
import { own } from "../../emulator/postgres/copy";
import {
    closePostgresWorlds,
    describeWithPostgres,
    eventually,
    postgresWorld,
    processesWith,
} from "../support/postgres";

const root = join(__dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "clouddb-leftovers-"));
const children = new Set<ChildProcess>();

afterAll(async () => {
    for (const child of children) {
        child.kill("SIGKILL");
    }
    await closePostgresWorlds();
    rmSync(scratch, { recursive: true, force: true });
}, 60_000);

interface Command {
    process: ChildProcess;
    ended: Promise<{ code: number | null; stderr: string }>;
    /** Resolves with the URL and the folder of the servers. */
    started: Promise<{ url: string; data: string }>;
}

/** The built command. */
function command(args: readonly string[], options: { uid?: number; env?: NodeJS.ProcessEnv } = {}): Command {
    const child = spawn(process.execPath, [join(root, "dist", "emulator", "cli.js"), "--postgres", ...args], {
        cwd: root,
        ...options,
    });
    children.add(child);
    let [stdout, stderr] = ["", ""];
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
        child.once("close", (code) => resolve({ code, stderr }));
    });
    const started = new Promise<{ url: string; data: string }>((resolve, reject) => {
        child.stdout.on("data", (data: Buffer) => {
            stdout += data.toString();
            const [, url, file] = /LISTENING (\S+)\nCERTIFICATE (\S+)\n/.exec(stdout) ?? [];
            if (url !== undefined && file !== undefined) {
                resolve({ url, data: dirname(file) });
            }
        });
        child.once("close", () => reject(new Error(stderr)));
    });
    started.catch(() => undefined);
    return { process: child, ended, started };
}

const post = async (url: string, path: string, body: unknown): Promise<{ service_id: string }> => {
    const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/projects/emulator01/services${path}`, init);
    return (await response.json()) as { service_id: string };
};

describeWithPostgres("PostgreSQL of the emulator", () => {
    test("no processes and folders remain when the emulator is killed, idle or during a fork", async () => {
        const emulator = command(["--speed", "1000", "--token", "emulator-token", "--project", "emulator01"]);
        const { url, data } = await emulator.started;
        const { service_id: id } = await post(url, "", { name: "orders" });
        await eventually(async () => {
            const response = await fetch(`${url}/projects/emulator01/services/${id}`, {
                headers: { authorization: "Bearer emulator-token" },
            });
            return ((await response.json()) as { status: string }).status === "READY";
        }, 30_000);
        const made = [1, 2, 3].map(() => post(url, `/${id}/forkService`, { fork_strategy: "NOW" }));
        await made[0];
        emulator.process.kill("SIGKILL");
        await Promise.allSettled(made);
        await eventually(() => processesWith(data).length === 0 && !existsSync(dirname(data)), 30_000);
    }, 60_000);

    test("an emulator with PostgreSQL keeps data, ports and certificate next to a state file, and reports a port that is in use", async () => {
        const stateFile = join(scratch, "world.json");
        const first = await postgresWorld({ stateFile });
        const service = await first.service();
        const paused = await first.service();
        await first.sql(service, "CREATE TABLE kept AS SELECT 1 AS n");
        const fork = await first.fork(service, { fork_strategy: "NOW" });
        const set = await first.replicaSet(service);
        await first.api("POST", `/services/${service.service_id}/enablePooler`);
        await first.api("POST", `/services/${paused.service_id}/stop`);
        await first.until(paused.service_id, "PAUSED");
        const certificate = first.emulator.certificate;
        await first.emulator.close();
        expect(processesWith(`${service.service_id}-`)).toEqual([]);

        const second = await postgresWorld({ stateFile });
        expect(second.emulator.certificate).toEqual(certificate);
        const again = await second.until(service.service_id, "READY");
        expect(again.endpoint).toEqual(service.endpoint);
        const rows = [{ n: 1 }];
        const through = { ...again.connection_pooler, password: service.password };
        for (const access of [service, fork, through, { ...set, password: service.password }]) {
            expect(await second.sql(access, "SELECT n FROM kept")).toEqual(rows);
        }
        expect((await second.until(paused.service_id, "PAUSED")).endpoint).toEqual(paused.endpoint);

        await second.emulator.close();
        const server = createServer((socket) => socket.destroy()).listen(service.endpoint?.port, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        await expect(startEmulator({ postgres: true, stateFile })).rejects.toMatchObject({
            failure: "postgres-failed",
            message: expect.stringMatching(/port \d+ is in use by another process/) as string,
        });
        await new Promise((resolve) => server.close(resolve));

        const third = await postgresWorld({ stateFile });
        await third.api("DELETE", `/services/${service.service_id}/replicaSets/${set.id}`);
        await eventually(async () => (await third.until(service.service_id, "READY")).read_replica_sets?.length === 0);
        for (const { service_id: id } of [service, fork, paused]) {
            await third.api("DELETE", `/services/${id}`);
        }
        for (const { service_id: id } of [service, fork, paused]) {
            await third.untilGone(id);
        }
        await third.emulator.close();
        expect(readdirSync(scratch)).toEqual(["world.json"]);
    }, 90_000);

    test("a service that was created without PostgreSQL gets an empty database, and the emulator reports it", async () => {
        const stateFile = join(scratch, "older.json");
        const without = await postgresWorld({ stateFile, postgres: false });
        const { service_id: id } = await without.service();
        await without.emulator.close();
        const { emulator, messages, api, until, sql } = await postgresWorld({ stateFile });
        expect(messages).toContainEqual(
            expect.stringMatching(/data of service .* is missing\. .* Set a new password\./),
        );
        await api("POST", `/services/${id}/updatePassword`, { password: "new-password" });
        const { endpoint = {} } = await until(id, "READY");
        expect(await sql({ endpoint, password: "new-password" }, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
        emulator.deleteService(id);
    }, 60_000);

    test("the emulator reports that PostgreSQL cannot run as a user without a name, and that it requires the real clock", async () => {
        await expect(startEmulator({ postgres: true, clock: { now: () => 0 } })).rejects.toMatchObject({
            failure: "invalid-option",
            message: expect.stringContaining("clock") as string,
        });
        if (process.getuid?.() !== 0) {
            return;
        }
        const { code, stderr } = await command([], { uid: 54_321 }).ended;
        expect(stderr).toMatch(/PostgreSQL cannot run as user 54321, which has no entry in \/etc\/passwd/);
        expect(code).toBe(1);
    }, 30_000);

    test("PostgreSQL works with a package whose install script did not run, in a read-only folder", async () => {
        const native = embeddedFolder();
        if (native === undefined) {
            return;
        }
        const folder = join(scratch, "package", "native");
        // As installed by pnpm, which does not run the install script that creates the links.
        cpSync(native, folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
        chmodSync(scratch, 0o755);
        const target = join(scratch, "copy");
        const copy = await copyEmbedded(folder, target);
        const user = serverUser();
        await own(target, user);
        const binaries = {
            ...(await findBinaries(user, target)),
            postgres: join(copy, "bin", "postgres"),
            initdb: join(copy, "bin", "initdb"),
        };
        await makeTemplate({ binaries, user, superuserPassword: "secret" }, join(target, "template"), target);
        expect(existsSync(join(target, "template", "PG_VERSION"))).toBe(true);
    });
});
