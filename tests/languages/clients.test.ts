import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/command";
import { read } from "../support/documents";
import { newFolder } from "../support/folder";
import { describeWithPostgres, postgresWorld } from "../support/postgres";
import { root, testWith } from "./language";

// docs/production.md#clients-that-verify-the-server: what psql, psycopg and node-postgres need to verify the emulator's PostgreSQL.
// Its certificate has an authority of its own, which takes the place of the file of the system.

const section = "docs/production.md#clients-that-verify-the-server";

describeWithPostgres("with sslMode verify-full", () => {
    const folder = newFolder();
    let url = "";
    let authority = "";

    beforeAll(async () => {
        const { emulator, service } = await postgresWorld();
        const { endpoint, password } = await service();
        const { host = "", port = 0 } = endpoint ?? {};
        url = `postgres://tsdbadmin:${password}@${host}:${String(port)}/tsdb?sslmode=verify-full`;
        authority = emulator.certificate?.file ?? "";
    });

    /** A client of a user who has nothing in his home. */
    const query = (command: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
        run(command, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });

    test("psql connects with PGSSLROOTCERT, and fails without", async () => {
        const args = [url, "-Atc", "SELECT 'connected'"];
        expect(await query("psql", args, { PGSSLROOTCERT: authority })).toContain("connected");
        await expect(query("psql", args, {})).rejects.toThrow(/root\.crt/);
    });

    test("node-postgres connects without the variable, and not with sslRootCert: system", async () => {
        const program = `
            const { Client } = require("pg");
            const client = new Client(process.argv[1]);
            await client.connect();
            console.log((await client.query("SELECT 'connected' AS state")).rows[0].state);
            await client.end();`;
        const connect = (to: string) =>
            query(process.execPath, ["--eval", `(async () => {${program}})()`, to], {
                NODE_EXTRA_CA_CERTS: authority,
                NODE_PATH: join(root, "node_modules"),
            });
        expect(await connect(url)).toContain("connected");
        await expect(connect(`${url}&sslrootcert=system`)).rejects.toThrow(/ENOENT/);
    });

    testWith("python")(
        "psycopg connects with PGSSLROOTCERT, and its wheel does not know the authorities of the system",
        async () => {
            await run("python3", ["-m", "venv", "venv"], { cwd: folder, env: process.env });
            const pip = ["-m", "pip", "install", "--quiet", "psycopg[binary]==3.3.9"];
            await run(join(folder, "venv", "bin", "python"), pip, { cwd: folder, env: process.env });
            writeFileSync(
                join(folder, "connect.py"),
                "import sys\nimport psycopg\nwith psycopg.connect(sys.argv[1]) as connection:\n    print(*connection.execute(\"SELECT 'connected'\").fetchone())\n",
            );
            const connect = (env: NodeJS.ProcessEnv) =>
                query(join(folder, "venv", "bin", "python"), ["connect.py", url], env);
            expect(await connect({ PGSSLROOTCERT: authority })).toContain("connected");
            expect(await connect({ PGSSLROOTCERT: "system", SSL_CERT_FILE: authority })).toContain("connected");
            await expect(connect({})).rejects.toThrow(/root\.crt/);
            expect(read(section)).toContain("SSL_CERT_FILE");
        },
    );
});
