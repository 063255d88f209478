import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/documents";
import { newFolder } from "../support/folder";

// The standard streams of the commands, as a shell connects them.

const commands = {
    "clouddb-emulator": join("emulator", "cli.js"),
    "clouddb-orphans": join("cli", "clouddb-orphans.js"),
    "clouddb-plan-comment": join("cli", "clouddb-plan-comment.js"),
};
const names = Object.keys(commands) as (keyof typeof commands)[];
const emptyStack = JSON.stringify({ version: 3, deployment: { resources: [] } });

/** The environment of a command, with an API at this port. */
const environment = (port: number) => ({
    CLOUDDB_BASE_URL: `http://127.0.0.1:${port}/v1`,
    CLOUDDB_ACCESS_TOKEN: "token",
    CLOUDDB_PROJECT_ID: "p",
    NO_PROXY: "127.0.0.1",
});

/** A process, with these outputs: a pipe, one that its reader has closed, or a full disk. */
function start(
    name: keyof typeof commands,
    args: readonly string[],
    {
        stdin = "pipe",
        stdout = "pipe",
        env = {},
    }: {
        stdin?: "pipe" | number;
        stdout?: "pipe" | "closed" | "full";
        env?: Readonly<Record<string, string>>;
    },
) {
    const full = stdout === "full" ? openSync("/dev/full", "w") : undefined;
    const child = spawn(process.execPath, [join(root, "dist", commands[name]), ...args], {
        stdio: [stdin, full ?? "pipe", "pipe"],
        env: { ...process.env, NODE_OPTIONS: "", ...env },
    });
    if (full !== undefined) {
        closeSync(full);
    }
    if (stdout === "closed") {
        child.stdout?.destroy();
    }
    const texts = { stdout: "", stderr: "" };
    child.stdout?.on("data", (data) => (texts.stdout += String(data)));
    child.stderr?.on("data", (data) => (texts.stderr += String(data)));
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
        child.on("close", (code) => resolve({ code, ...texts })),
    );
    return { child, ended };
}

test.each(names)("%s is quiet if its reader has gone, and has the exit code of its work", async (name) => {
    expect(await start(name, ["--help"], { stdout: "closed" }).ended).toMatchObject({ code: 0, stderr: "" });
});

(process.platform === "linux" ? test : test.skip).each(names)(
    "%s fails with one line and exit code 2 if its output cannot be written",
    async (name) => {
        const { code, stderr } = await start(name, ["--help"], { stdout: "full" }).ended;
        expect(stderr).toMatch(new RegExp(`^${name}: .*ENOSPC.*\\n$`));
        expect(code).toBe(2);
    },
);

test("clouddb-orphans with a reader that has gone says by its exit code whether a resource is listed", async () => {
    const service = {
        service_id: "abcdefghij",
        project_id: "p",
        name: "orders",
        region_code: "us-east-1",
        service_type: "POSTGRES",
        status: "READY",
        created: "2026-01-01T00:00:00Z",
        resources: [],
    };
    let services: object[] = [service];
    const api = createServer(({ url = "" }, response) => {
        response
            .setHeader("content-type", "application/json")
            .end(JSON.stringify(url.endsWith("/services") ? services : []));
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const { port } = api.address() as AddressInfo;
    const env = environment(port);
    try {
        const listed = start("clouddb-orphans", ["-"], { stdout: "closed", env });
        listed.child.stdin?.end(emptyStack);
        expect(await listed.ended).toMatchObject({ code: 1, stderr: "" });
        services = [];
        const none = start("clouddb-orphans", ["-"], { stdout: "closed", env });
        none.child.stdin?.end(emptyStack);
        expect(await none.ended).toMatchObject({ code: 0, stderr: "" });
    } finally {
        api.closeAllConnections();
        api.close();
    }
});

test.each(["clouddb-plan-comment", "clouddb-orphans"] as const)(
    "%s waits for a standard input that does not block and comes slowly",
    async (name) => {
        const pipe = join(newFolder(), "pipe");
        execFileSync("mkfifo", [pipe]);
        const reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
        const writing = openSync(pipe, constants.O_WRONLY);
        const { ended } = start(name, name === "clouddb-orphans" ? ["-"] : [], { stdin: reading, env: environment(1) });
        closeSync(reading);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        writeSync(writing, "{ not JSON");
        closeSync(writing);
        const { code, stderr } = await ended;
        expect(code).toBe(2);
        expect(stderr).not.toContain("EAGAIN");
        expect(stderr).toMatch(new RegExp(`^${name}: .*JSON`));
    },
);
