import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { startEmulator } from "../../emulator";
import type { Binaries } from "../../emulator/postgres/binaries";
import { makeServerFolder } from "../../emulator/postgres/inside";
import { run } from "../../emulator/postgres/process";
import { makeTemplate } from "../../emulator/postgres/template";
import { serverUser } from "../../emulator/postgres/user";
import { fetchServices, startCommand } from "../support/emulatorCommand";
import { describeWithPostgres, eventually, makeFolder, processesWith, type Access } from "../support/postgres";

const scratch = makeFolder();
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

/** The person who starts the emulator, and another user of the same computer. Both are accounts of every Linux. */
const owner = { uid: 5, gid: 60 };
const stranger = { uid: 1, gid: 1 };

/** Tries everything that needs no secret, and prints what it has got. */
const attack = `
const { readFileSync, readdirSync } = require("node:fs");
const [url, pid, data] = process.argv.slice(1);
const origin = new URL(url).origin;
const got = {};
const ask = async (method, path, token, body) => {
    const response = await fetch(origin + path, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: token }) },
        ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
};
const attempt = async (name, run) => {
    try {
        const result = await run();
        if (result !== undefined) got[name] = result;
    } catch {}
};
void (async () => {
    for (const body of [{}, { token: "emulator-token" }, { token: "" }, { key: "" }, { key: "emulator-token" }]) {
        await attempt("session", async () => {
            const { status, text } = await ask("POST", "/_page/session", undefined, body);
            return status === 200 ? "Bearer " + JSON.parse(text).session : undefined;
        });
    }
    for (const token of [undefined, "Bearer emulator-token", got.session]) {
        for (const path of ["/_emulator/state", "/_page/news", "/v1/projects"]) {
            await attempt(path, async () => {
                const { status, text } = await ask("GET", path, token);
                return status === 200 ? text : undefined;
            });
        }
    }
    const [, id] = /"service_id":"([a-z0-9]+)"/.exec(JSON.stringify(got).replaceAll('\\\\"', '"')) ?? [];
    await attempt("credentials", async () => {
        const { status, text } = await ask("POST", "/_page/services/" + id + "/credentials", got.session);
        return status === 200 ? text : undefined;
    });
    for (const file of ["environ", "maps"]) {
        await attempt(file, () => readFileSync("/proc/" + pid + "/" + file, "utf8"));
    }
    await attempt("files", () => readdirSync(data).join());
    await attempt("certificate", () => readFileSync(data + "/secret", "utf8"));
    got.public = readFileSync("/proc/" + pid + "/cmdline", "utf8");
    for (const path of ["/", "/_page/page.js", "/_page/style.css"]) {
        got.public += (await ask("GET", path)).text;
    }
    console.log(JSON.stringify(got));
    process.exit();
})();`;

describeWithPostgres("other users of this computer", () => {
    asRoot(
        "another user of this computer gets no key, no credentials, no state and no file of an emulator with PostgreSQL",
        async () => {
            const environment = { ...process.env, AWS_SECRET_ACCESS_KEY: "secret-of-the-shell" };
            const emulator = startCommand(["--postgres", "--speed", "1000"], { ...owner, env: environment });
            let printed = "";
            emulator.process.stdout.on("data", (data: Buffer) => (printed += data.toString()));
            const { url, data } = await emulator.started;
            await eventually(() => printed.includes("PAGE "));
            const [, token = "emulator-token"] = /^export CLOUDDB_ACCESS_TOKEN=(\S+)$/m.exec(printed) ?? [];
            const made = await fetchServices(url, "POST", "", { name: "orders" }, token);
            const { service_id: id, initial_password: password } = (await made.json()) as Record<string, string>;
            expect(made.status).toBe(202);
            await eventually(async () =>
                (await (await fetchServices(url, "GET", `/${id}`, undefined, token)).text()).includes("READY"),
            );
            const { stdout, stderr } = spawnSync(
                process.execPath,
                ["-e", attack, url, String(emulator.process.pid), data],
                { ...stranger, cwd: "/", encoding: "utf8", env: {}, timeout: 20_000 },
            );
            expect(stderr).toBe("");
            const { public: readable = "", ...got } = JSON.parse(stdout) as Record<string, string>;
            expect(Object.keys(got)).toEqual([]);
            for (const secret of [token, password ?? "", /#key=(\S+)/.exec(printed)?.[1] ?? "no key"]) {
                expect(readable).not.toContain(secret);
            }
            const { endpoint } = (await (await fetchServices(url, "GET", `/${id}`, undefined, token)).json()) as Access;
            const ssl = { rejectUnauthorized: false };
            const client = new Client({ ...endpoint, user: "tsdbadmin", password, database: "tsdb", ssl });
            await client.connect();
            for (const statement of ["COPY (SELECT 1) TO PROGRAM 'id'", "SELECT pg_read_file('PG_VERSION')"]) {
                await expect(client.query(statement)).rejects.toMatchObject({ code: "42501" });
            }
            await client.end();
            const environments = processesWith(`-D\0${data}`).map((pid) =>
                readFileSync(`/proc/${pid}/environ`, "utf8"),
            );
            expect(environments).toEqual([expect.stringContaining("HOME=") as string]);
            expect(environments[0]).not.toContain("secret-of-the-shell");
            emulator.process.kill("SIGTERM");
            await emulator.ended;
        },
    );

    asRoot("an emulator does not use the data folder that another user has made next to its state file", async () => {
        const stateFile = join(scratch, "state.json");
        chmodSync(scratch, 0o1777);
        mkdirSync(`${stateFile}.postgres`);
        chownSync(`${stateFile}.postgres`, stranger.uid, stranger.gid);
        const { code, stderr } = await startCommand(["--postgres", "--state", stateFile], owner).ended;
        expect([code, stderr]).toEqual([1, expect.stringContaining(`rm -r ${stateFile}.postgres`)]);
    });

    test("an emulator with PostgreSQL has a random token, and does not start with the one that everyone knows", async () => {
        const emulator = await startEmulator({ postgres: true });
        expect(emulator.token).toMatch(/^[\w-]{32,}$/);
        await emulator.close();
        const known = startEmulator({ postgres: true, token: "emulator-token" });
        await expect(known).rejects.toMatchObject({ failure: "invalid-option" });
    });
});

const programs = "/usr/lib/postgresql/15/bin";
const withPostgres15 = existsSync(join(programs, "initdb")) ? test : test.skip;

withPostgres15(
    "the role of a service with PostgreSQL 15 cannot make itself a role that reads files (skipped without it)",
    async () => {
        const user = serverUser();
        const data = join(scratch, "data");
        mkdirSync(data);
        const binaries: Binaries = {
            initdb: join(programs, "initdb"),
            postgres: join(programs, "postgres"),
            major: 15,
        };
        await makeServerFolder(join(data, "template"), user);
        await makeTemplate({ binaries, user, home: data, data, passwordOf: () => "secret" }, join(data, "template"));
        const statements = [
            `SET SESSION AUTHORIZATION tsdbadmin;`,
            `GRANT pg_execute_server_program TO tsdbadmin;`,
            `COPY pg_temp.lines FROM PROGRAM 'cat /etc/passwd';`,
            `SELECT rolcreaterole, pg_has_role('tsdbadmin', 'pg_execute_server_program', 'USAGE') FROM pg_roles WHERE rolname = 'tsdbadmin';`,
        ];
        const { stdout } = await run(
            binaries.postgres,
            ["--single", "-D", join(data, "template"), "-c", "logging_collector=off", "postgres"],
            { user, cwd: data, input: statements.join("\n") },
        );
        expect(stdout).toContain('rolcreaterole = "f"');
        expect(stdout).toContain('pg_has_role = "f"');
    },
);
