import { spawn, spawnSync } from "node:child_process";
import {
    cpSync,
    existsSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmulator } from "../../emulator";
import { copyEmbedded, embeddedFolder, findBinaries } from "../../emulator/postgres/binaries";
import { makeTemplate } from "../../emulator/postgres/template";
import { serverUser } from "../../emulator/postgres/user";
import { makeServerFolder, writeInside } from "../../emulator/postgres/inside";
import { root } from "../support/documents";
import { startCommand } from "../support/emulatorCommand";
import { describeWithPostgres, eventually, makeFolder, postgresWorld, processesWith } from "../support/postgres";

const scratch = makeFolder();

describeWithPostgres("PostgreSQL of the emulator", () => {
    test("a start removes the folder that a killed emulator and its watcher have left", async () => {
        const folder = mkdtempSync(join(tmpdir(), "clouddb-postgres-"));
        const foreign = mkdtempSync(join(tmpdir(), "clouddb-postgres-"));
        const dead = spawn("true");
        await new Promise((resolve) => dead.once("close", resolve));
        writeFileSync(join(folder, "owner"), `${dead.pid} 1`);
        const { emulator } = await postgresWorld();
        expect([existsSync(folder), existsSync(foreign)]).toEqual([false, true]);
        rmSync(foreign, { recursive: true });
        await emulator.close();
    });

    test("a server starts although another process has the id of its former process", async () => {
        const stateFile = join(makeFolder(), "state.json");
        const first = await postgresWorld({ stateFile });
        const { service_id: id } = await first.service();
        const data = dirname(first.emulator.certificate?.file ?? "");
        const lock = join(data, readdirSync(data).find((name) => name.startsWith(id)) ?? "", "postmaster.pid");
        const before = readFileSync(lock, "utf8");
        await first.emulator.close();
        const user = serverUser();
        const stranger = spawn("sleep", ["60"], { ...user, stdio: "ignore" });
        await writeInside(user, lock, before.replace(/^\d+/, String(stranger.pid)));
        const second = await postgresWorld({ stateFile });
        await second.until(id, "READY");
        expect([second.messages, stranger.signalCode]).toEqual([[], null]);
        stranger.kill();
    });

    test("a password that was changed by SQL survives a restart, and a later one by the API replaces it", async () => {
        const stateFile = join(makeFolder(), "state.json");
        const first = await postgresWorld({ stateFile });
        const { service_id: id, ...service } = await first.service();
        await first.sql(service, "ALTER ROLE tsdbadmin PASSWORD 'set-by-sql'");
        await first.emulator.close();
        const second = await postgresWorld({ stateFile });
        const access = { ...service, password: "set-by-sql" };
        expect(await second.sql(access, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
        await second.api("POST", `/services/${id}/updatePassword`, { password: "set-by-api" });
        expect(await second.sql({ ...access, password: "set-by-api" }, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });

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
        const occupied = await postgresWorld({ stateFile });
        expect(occupied.messages).toContainEqual(expect.stringContaining(String(service.endpoint?.port)));
        expect(await occupied.sql(fork, "SELECT n FROM kept")).toEqual(rows);
        await occupied.until(service.service_id, "UNSTABLE");
        await new Promise((resolve) => server.close(resolve));
        await occupied.until(service.service_id, "READY");
        await occupied.emulator.close();

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
    });

    test("the emulator with PostgreSQL does not start as a user without a name, and requires the real clock", async () => {
        const withClock = startEmulator({ postgres: true, clock: { now: () => 0 } });
        await expect(withClock).rejects.toMatchObject({ failure: "invalid-option" });
        if (process.getuid?.() === 0) {
            const { code, stderr } = await startCommand(["--postgres"], { uid: 54_321 }).ended;
            expect([code, stderr]).toEqual([1, expect.stringContaining("54321")]);
        }
    });

    test("an installed PostgreSQL without the package pg is reported as what it is", () => {
        const [project, programs] = [join(scratch, "plain"), join(scratch, "programs")];
        for (const name of ["dist/emulator", "dist/shared", "package.json"]) {
            cpSync(join(root, name), join(project, name), { recursive: true });
        }
        mkdirSync(programs);
        writeFileSync(join(programs, "postgres"), "");
        const { status, stderr } = spawnSync(process.execPath, ["dist/emulator/cli.js", "--postgres"], {
            cwd: project,
            env: { PATH: programs },
            encoding: "utf8",
        });
        expect([status, stderr]).toEqual([1, expect.stringContaining(programs)]);
    });

    test("PostgreSQL works with a package whose install script did not run, in a read-only folder", async () => {
        const native = embeddedFolder();
        if (native === undefined) {
            return;
        }
        const folder = join(scratch, "package", "native");
        // As installed by pnpm, which does not run the install script that creates the links.
        cpSync(native, folder, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
        const target = join(scratch, "copy");
        const copy = await copyEmbedded(folder, target);
        const user = serverUser();
        const binaries = {
            ...(await findBinaries(user, target)),
            postgres: join(copy, "bin", "postgres"),
            initdb: join(copy, "bin", "initdb"),
        };
        await makeServerFolder(join(target, "template"), user);
        await makeTemplate(
            { binaries, user, home: target, data: target, passwordOf: () => "secret" },
            join(target, "template"),
        );
        expect(existsSync(join(target, "template", "PG_VERSION"))).toBe(true);
    });
});
