import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { passwordsFrom } from "../../emulator/postgres/installation";
import { serverUser } from "../../emulator/postgres/user";
import type { Wire } from "../../emulator/wire";
import {
    describeWithPostgres,
    eventually,
    makeFolder,
    postgresWorld,
    processesWith,
    type Access,
    type PostgresWorld,
} from "../support/postgres";

const asRoot = process.getuid?.() === 0 ? test : test.skip;
const scratch = makeFolder();
const secretOfShell = "secret-of-the-shell";

/** What leads out of a database, by what permits it. Each has to fail because the role may not do it. */
const attacks = {
    settings: [
        "SHOW primary_conninfo",
        "SHOW data_directory",
        "ALTER SYSTEM SET archive_command = 'id'",
        "SET session_preload_libraries = 'x'",
        "ALTER DATABASE tsdb SET session_preload_libraries = 'x'",
        "LOAD '/tmp/x.so'",
        "SELECT * FROM pg_hba_file_rules",
        "SELECT * FROM pg_file_settings",
    ],
    files: [
        "SELECT pg_read_file('replication.pgpass')",
        "SELECT pg_read_binary_file('postgresql.auto.conf')",
        "SELECT pg_ls_dir('.')",
        "SELECT pg_ls_logdir()",
        "SELECT pg_stat_file('PG_VERSION')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_export(1, '/tmp/x')",
        "COPY (SELECT 1) TO '/tmp/x'",
        "CREATE TEMP TABLE lines (line text); COPY lines FROM '/etc/passwd'",
    ],
    programs: [
        "COPY (SELECT 1) TO PROGRAM 'id'",
        "CREATE TEMP TABLE lines (line text); COPY lines FROM PROGRAM 'id; env'",
        "CREATE FUNCTION run(cstring) RETURNS int LANGUAGE c AS 'libc.so.6', 'system'",
        "CREATE FUNCTION run(cstring) RETURNS int LANGUAGE internal AS 'x'",
        "CREATE EXTENSION dblink",
        "CREATE EXTENSION postgres_fdw",
        "CREATE EXTENSION file_fdw",
        "CREATE FUNCTION act() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER act ON ddl_command_end EXECUTE FUNCTION act()",
    ],
    roles: [
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER ROLE tsdbadmin SUPERUSER",
        "CREATE ROLE other REPLICATION LOGIN",
        "GRANT pg_execute_server_program TO tsdbadmin",
        "GRANT pg_read_all_settings TO tsdbadmin",
        "GRANT clouddb_pooler TO tsdbadmin",
        "ALTER ROLE clouddb_replication PASSWORD 'known'",
        "SELECT passwd FROM pg_shadow",
        "SELECT rolpassword FROM pg_authid",
        "SELECT pg_create_physical_replication_slot('one')",
    ],
};

/** In the database of the emulator, where the pooler's function is. */
const attacksOnEmulator = [
    "SELECT clouddb_pooler.verifier_of('tsdbadmin')",
    "CREATE TABLE planted ()",
    "CREATE TEMP TABLE planted ()",
    "CREATE SCHEMA planted",
    "SELECT lo_create(0)",
    "SELECT lo_from_bytea(0, 'x')",
];

/** Everything that a role can read and that other roles have written. */
const readable = [
    "SELECT name, setting, boot_val, reset_val, sourcefile FROM pg_settings",
    "SELECT * FROM pg_stat_activity",
    "SELECT * FROM pg_stat_wal_receiver",
    "SELECT * FROM pg_stat_replication",
    "SELECT * FROM pg_db_role_setting",
    "SELECT * FROM pg_roles",
    "SELECT prosrc FROM pg_proc",
    "SELECT * FROM pg_user_mappings",
];

const insufficientPrivilege = "42501";
const readOnly = "25006";

describeWithPostgres("the role of a service", () => {
    let world: PostgresWorld;
    let service: Wire["Service"] & Access;
    let data: string;
    const places: Record<string, Access> = {};
    const passwordOf = (role: "postgres" | "clouddb_replication" | "clouddb_pooler"): string =>
        passwordsFrom(readFileSync(join(data, "secret"), "utf8"))(role);

    const connected = async (config: object): Promise<Client> => {
        const ssl = { ca: world.emulator.certificate?.pem };
        const client = new Client({ user: "tsdbadmin", database: "tsdb", ssl, ...config });
        await client.connect();
        return client;
    };

    /** The statements that do not end with one of these codes, by their code, or "done". */
    async function exceptions(config: object, statements: string[], codes: string[]): Promise<Record<string, string>> {
        const client = await connected(config);
        const found: Record<string, string> = {};
        for (const statement of statements) {
            const code = await client.query(statement).then(
                () => "done",
                (error: unknown) => (error as { code: string }).code,
            );
            if (!codes.includes(code)) {
                found[statement] = code;
            }
        }
        await client.end();
        return found;
    }

    beforeAll(async () => {
        const programs = join(scratch, "programs");
        mkdirSync(programs);
        writeFileSync(join(programs, "pgbouncer"), "#!/bin/sh\necho PgBouncer 1.18.0\n", { mode: 0o755 });
        Object.assign(process.env, {
            PATH: `${programs}:${process.env.PATH}`,
            AWS_SECRET_ACCESS_KEY: secretOfShell,
            NODE_OPTIONS: "",
        });
        world = await postgresWorld({ stateFile: join(scratch, "state.json") });
        data = dirname(world.emulator.certificate?.file ?? "");
        service = await world.service();
        const { password } = service;
        const set = await world.replicaSet(service);
        const { connection_pooler: pooler } = await world.change(service.service_id, "enablePooler");
        places.primary = { ...service.endpoint, password } as object as Access;
        places.replica = { ...set.endpoint, password } as object as Access;
        places.pooler = { ...pooler?.endpoint, password } as object as Access;
    });
    afterAll(() => {
        delete process.env.AWS_SECRET_ACCESS_KEY;
    });

    test.each(["primary", "replica", "pooler"])(
        "on the %s, it reads no file, no secret setting, and runs no program",
        async (place) => {
            const allowed = place === "replica" ? [insufficientPrivilege, readOnly] : [insufficientPrivilege];
            const to = places[place] ?? {};
            expect(await exceptions(to, Object.values(attacks).flat(), allowed)).toEqual({});
            expect(await exceptions({ ...to, database: "postgres" }, attacksOnEmulator, allowed)).toEqual({});
        },
    );

    test("no setting, query or function result has the password of a role of the emulator", async () => {
        const secrets = (["postgres", "clouddb_replication", "clouddb_pooler"] as const).map(passwordOf);
        for (const place of Object.values(places)) {
            const client = await connected(place);
            for (const statement of readable) {
                const text = JSON.stringify((await client.query(statement)).rows);
                expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
            }
            await client.end();
        }
        expect(await world.sql(service, "SELECT state FROM pg_stat_replication")).toEqual([{ state: "streaming" }]);
    });

    test("the roles of a replica and of the pooler can do nothing else, and the pooler gets no verifier of the emulator's roles", async () => {
        const rights = `SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS can, rolreplication,
            (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
            FROM pg_roles WHERE rolname LIKE 'clouddb%' ORDER BY 1`;
        expect(await world.sql(service, rights)).toEqual([
            { rolname: "clouddb_pooler", can: false, rolreplication: false, memberships: 0 },
            { rolname: "clouddb_replication", can: false, rolreplication: true, memberships: 0 },
        ]);
        const access = (user: "clouddb_pooler" | "clouddb_replication") => ({
            ...places.primary,
            user,
            password: passwordOf(user),
            database: "postgres",
        });
        const statements = [...attacks.files, ...attacks.programs];
        for (const user of ["clouddb_pooler", "clouddb_replication"] as const) {
            expect(await exceptions(access(user), statements, [insufficientPrivilege])).toEqual({});
        }
        const pooler = await connected(access("clouddb_pooler"));
        const verifiers = async (role: string): Promise<unknown[]> =>
            (await pooler.query<object>("SELECT usename, passwd FROM clouddb_pooler.verifier_of($1)", [role])).rows;
        expect(await verifiers("tsdbadmin")).toEqual([
            { usename: "tsdbadmin", passwd: expect.stringMatching(/^SCRAM-SHA-256/) as string },
        ]);
        expect(await verifiers("postgres")).toEqual([]);
        await pooler.end();
    });

    test("objects and a search path of the role change nothing that the emulator and the pooler do", async () => {
        await world.sql(
            service,
            `CREATE SCHEMA trap;
             CREATE FUNCTION trap.grab() RETURNS text LANGUAGE plpgsql AS
                'BEGIN EXECUTE ''ALTER ROLE tsdbadmin SUPERUSER''; RETURN ''x''; END';
             CREATE VIEW trap.pg_shadow AS SELECT 'tsdbadmin'::name AS usename, trap.grab() AS passwd;
             CREATE VIEW trap.pg_replication_slots AS SELECT trap.grab() AS slot_name;
             ALTER DATABASE tsdb SET search_path = trap, pg_catalog;
             ALTER ROLE tsdbadmin SET search_path = trap, pg_catalog`,
        );
        const id = service.service_id;
        await world.api("POST", `/services/${id}/updatePassword`, { password: "second-password" });
        service.password = "second-password";
        await world.change(id, "resize", { cpu_millis: "1000", memory_gbs: "4" });
        const through = { ...service, endpoint: (await world.until(id, "READY")).connection_pooler?.endpoint ?? {} };
        const [row] = await world.sql(through, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
        expect(row).toEqual({ rolsuper: false });
        await world.sql(service, "ALTER ROLE tsdbadmin RESET ALL; ALTER DATABASE tsdb RESET ALL");
    });

    test("a pgbouncer that can only ask in the database of the role counts as absent", () => {
        expect(world.messages).toContainEqual(
            expect.stringMatching(/is a proxy without pooling because pgbouncer 1\.19 or newer is not on PATH/),
        );
    });

    test("the servers get no variables of the emulator's environment but those that they need", () => {
        const servers = processesWith(`-D\0${data}`);
        expect(servers.length).toBeGreaterThanOrEqual(2);
        for (const pid of servers) {
            const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
            const names = environment.split("\0").map((line) => line.replace(/=.*/s, ""));
            const others = names.filter((name) => !/^(PATH|TMPDIR|TZ|LC_ALL|LD_LIBRARY_PATH|HOME|PG_.*|)$/.test(name));
            expect([environment.includes(secretOfShell), others]).toEqual([false, []]);
            expect(environment).toMatch(/(^|\0)HOME=\S*clouddb-postgres-/);
        }
    });

    asRoot(
        "a process of nobody changes nothing outside of the folders of the servers, also while root works in them",
        async () => {
            const [file, folder] = [join(scratch, "victim"), join(scratch, "victims")];
            mkdirSync(folder, { mode: 0o700 });
            const line =
                '{"timestamp":"2026-01-01 00:00:00.000 UTC","error_severity":"LOG","message":"of root alone"}\n';
            for (const one of [file, join(folder, "kept")]) {
                writeFileSync(one, line, { mode: 0o600 });
            }
            const before = statSync(file);
            const home = readFileSync(`/proc/${processesWith(`-D\0${data}`)[0]}/environ`, "utf8");
            const [, run = ""] = /(?:^|\0)HOME=([^\0]+)/.exec(home) ?? [];
            const name = `${service.service_id}-${Date.parse(service.created)}`;
            const { stdout, stderr } = spawnSync(process.execPath, ["-e", plant, data, run, name, file, folder], {
                ...serverUser(),
                cwd: "/",
                env: {},
                encoding: "utf8",
            });
            expect([stderr, JSON.parse(stdout)]).toEqual(["", ["settings", "log", "folder"]]);

            // A copy follows no planted link, and neither does reading the log.
            const path = `/services/${service.service_id}`;
            const { id } = await world.api<Wire["ReadReplicaSet"]>("POST", `${path}/replicaSets`, {
                name: "more",
                nodes: 1,
                cpu_millis: 500,
                memory_gbs: 2,
            });
            const statusOf = async () =>
                (await world.api<Wire["ReadReplicaSet"][]>("GET", `${path}/replicaSets`)).find((set) => set.id === id)
                    ?.status;
            await eventually(async () => /active|error/.test((await statusOf()) ?? ""), 30_000);
            const { logs } = await world.api<Wire["ServiceLogsResponse"]>("GET", `${path}/logs`);
            expect(logs.join("\n")).not.toContain("of root alone");
            world.emulator.deleteService(service.service_id);
            await eventually(() => !readdirSync(data).some((one) => one.startsWith(service.service_id)));
            await world.emulator.close();

            expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual([line, ["kept"]]);
            const { uid, mode } = statSync(file);
            expect({ uid, mode }).toEqual({ uid: before.uid, mode: before.mode });
            // The data folder may stay: what nobody has planted can hold up the removal of a replica.
            const left = readdirSync(scratch).filter((one) => one.startsWith("state"));
            expect(left.filter((one) => one !== "state.json.postgres")).toEqual(["state.json"]);
            chmodSync(folder, 0o755);
        },
    );
});

/** Tries to get out of the folder of a server as its user, and prints what has succeeded. The last three harm only the server. */
const plant = `
const fs = require("node:fs");
const [data, run, name, file, folder] = process.argv.slice(1);
const done = [];
const attempt = (what, act) => {
    try {
        act();
        done.push(what);
    } catch {}
};
const replace = (path, target) => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.symlinkSync(target, path);
};
attempt("list", () => fs.readdirSync(data));
attempt("secret", () => fs.readFileSync(data + "/secret"));
attempt("owner", () => fs.writeFileSync(data + "/owner", "1 1"));
attempt("new folder", () => fs.symlinkSync(folder, data + "/planted"));
attempt("backup", () => fs.symlinkSync(folder, data + "/" + name + ".backup.tmp"));
attempt("pooler", () => replace(data + "/" + name + ".pooler", folder));
attempt("rename", () => fs.renameSync(data + "/" + name, data + "/moved"));
attempt("template", () => fs.renameSync(data + "/template", data + "/moved"));
attempt("run folder", () => fs.writeFileSync(run + "/planted", ""));
attempt("home", () => fs.mkdirSync(run + "/.postgresql"));
attempt("settings", () => replace(data + "/" + name + "/postgresql.auto.conf", file));
attempt("log", () => replace(data + "/" + name + "/log/postgresql.json", file));
attempt("folder", () => replace(data + "/" + name + "/pg_twophase", folder));
console.log(JSON.stringify(done));
`;
