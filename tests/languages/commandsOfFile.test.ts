import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { bin } from "../../package.json";
import { selfSigned } from "../../emulator/postgres/certificate";
import { systemFolders } from "../../emulator/postgres/binaries";
import type { Wire } from "../../emulator/wire";
import { buildArchives, thisPlatform } from "../support/archives";
import { send, settingsWithPostgres } from "../support/emulatorCommand";
import { newFolder } from "../support/folder";
import { eventually } from "../support/postgres";
import { root } from "./language";

// The commands of the plugin as a single file, without Node.js.

let plugin = "";

beforeAll(async () => {
    const folder = newFolder();
    const archive = (await buildArchives(thisPlatform))[thisPlatform] ?? "";
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
    plugin = join(folder, "pulumi-resource-clouddb");
});

const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({ PATH: "/nowhere", HOME: newFolder(), ...more });

/** Runs the file. `onOutput` gets what it has printed so far. */
function run(
    args: readonly string[],
    more: NodeJS.ProcessEnv = {},
    onOutput?: (text: string, stop: () => void) => void,
) {
    const child = spawn(plugin, args, { env: env(more), stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => {
        stdout += data.toString();
        onOutput?.(stdout, () => child.kill("SIGTERM"));
    });
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    const ended = once(child, "close") as Promise<[code: number | null]>;
    return ended.then(([code]) => ({ code, stdout, stderr }));
}

test.each(["emulator", "orphans", "plan-comment"] as const)(
    "%s prints the same help as the npm command",
    async (name) => {
        const script = join(root, bin[`clouddb-${name}`]);
        const help = execFileSync(process.execPath, [script, "--help"], { encoding: "utf8" });
        expect(await run([name, "--help"])).toEqual({ code: 0, stdout: help, stderr: "" });
        const version = execFileSync(process.execPath, [script, "--version"], { encoding: "utf8" });
        expect(await run([name, "--version"])).toEqual({ code: 0, stdout: version, stderr: "" });
    },
);

test("--help lists the commands, and another word is refused", async () => {
    const { code, stdout } = await run(["--help"]);
    const commands = ["emulator", "orphans", "plan-comment"];
    expect([code, commands.filter((name) => stdout.includes(name))]).toEqual([0, commands]);
    expect(await run(["emulate"])).toMatchObject({ code: 2 });
});

test("without a command, it prints the port of the plugin", async () => {
    const { stdout } = await run([], {}, (text, stop) => {
        if (text.endsWith("\n")) {
            stop();
        }
    });
    expect(stdout).toMatch(/^\d+\n$/);
});

test("the plugin does not read NODE_OPTIONS, which can name files that it does not have", async () => {
    expect(await run(["--help"], { NODE_OPTIONS: "--require ./missing.js" })).toMatchObject({ code: 0, stderr: "" });
});

test("it trusts the authorities of the system, and names its own commands in messages", async () => {
    const { certificate, key } = selfSigned();
    const server = createServer({ cert: certificate, key }, (_, response) => response.writeHead(200).end("[]"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const file = join(newFolder(), "ca.pem");
    writeFileSync(file, certificate);
    const empty = join(newFolder(), "state.json");
    writeFileSync(empty, JSON.stringify({ version: 3, deployment: {} }));
    const settings = {
        CLOUDDB_BASE_URL: `https://127.0.0.1:${port}/v1`,
        CLOUDDB_ACCESS_TOKEN: "t",
        CLOUDDB_PROJECT_ID: "abcdefghij",
    };
    try {
        const unknown = await run(["orphans", empty], settings);
        expect(unknown.stderr).toContain("NODE_EXTRA_CA_CERTS");
        // The archive contains the page that the message names.
        const [, page = "no page"] = /^ *Causes: (.+)$/m.exec(unknown.stderr) ?? [];
        expect(page).toContain(dirname(plugin));
        expect(readFileSync(page, "utf8")).toContain("UNABLE_TO_");
        expect(unknown.stderr).not.toContain("NODE_OPTIONS");
        expect(await run(["orphans", empty], { ...settings, SSL_CERT_FILE: file })).toMatchObject({
            code: 0,
            stderr: "",
        });
    } finally {
        server.close();
    }
    const refused = await run(["orphans", empty], { ...settings, CLOUDDB_BASE_URL: "http://127.0.0.1:1/v1" });
    expect(refused.stderr).toContain(plugin);
});

(systemFolders().length > 0 ? test : test.skip)("its emulator runs the PostgreSQL of the system", async () => {
    let query: Promise<unknown> | undefined;
    const { code } = await run(["emulator", ...settingsWithPostgres], {}, (text, stop) => {
        const [, url] = /LISTENING (\S+)\n/.exec(text) ?? [];
        if (url !== undefined) {
            query ??= queryNewDatabase(url).catch(String).finally(stop);
        }
    });
    expect(await query).toEqual([{ one: 1 }]);
    expect(code).toBe(0);
});

async function queryNewDatabase(url: string): Promise<unknown> {
    const made = await send<Wire["Service"]>(url, "POST", "", { name: "orders" });
    const read = () => send<Wire["Service"]>(url, "GET", `/${made.service_id}`);
    await eventually(async () => (await read()).status === "READY", 60_000);
    const access = { user: "tsdbadmin", database: "tsdb", password: made.initial_password };
    const client = new Client({ ...(await read()).endpoint, ...access, ssl: { rejectUnauthorized: false } });
    await client.connect();
    const { rows } = await client.query("SELECT 1 AS one");
    await client.end();
    return rows;
}
