import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "../support/processes";
import { describeOnWindows, linuxPath, node, processesWith, run, start, until, writeFile } from "./windows";

const cwd = "C:\\shop";
const cli = `${cwd}\\node_modules\\pulumi-clouddb\\dist\\emulator\\cli.js`;
const state = "C:\\emulator\\state.json";
const token = "a-token-of-the-tests";
const options = ["--port", "0", "--token", token, "--project", "emulator01", "--speed", "1000"];

/** Opens a file as an editor does, which keeps others from replacing it, for this time. */
const holds = (file: string, ms: number) =>
    start(
        node,
        [
            "-e",
            `const f = require("fs").openSync(${JSON.stringify(file)}, 0x10000002); setTimeout(() => require("fs").closeSync(f), ${ms})`,
        ],
        cwd,
    );

async function startEmulator(...more: string[]) {
    const running = start(node, [cli, ...options, ...more], cwd);
    const printed = (name: string) => new RegExp(`^${name} (\\S+)$`, "m").exec(running.stdout())?.[1];
    await until(() => printed("PAGE") !== undefined);
    const url = printed("LISTENING") ?? "";
    const request = (method: string, path: string, body?: object) =>
        fetch(`${url}${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body && { body: JSON.stringify(body) }),
        });
    return { ...running, url, page: printed("PAGE") ?? "", request };
}

const names = () =>
    (
        JSON.parse(readFileSync(linuxPath(state), "utf8")) as { world: { services: { name: string }[] } }
    ).world.services.map(({ name }) => name);

describeOnWindows("on Windows, the emulator", () => {
    test("saves its state although another program has the file open, locks it, and starts again after it was killed", async () => {
        writeFile("C:\\emulator\\readme.txt", "");
        const first = await startEmulator("--state", state);
        const create = async (name: string) =>
            (await first.request("POST", "/projects/emulator01/services", { name })).status;
        expect(await create("a")).toBe(202);
        const holder = holds(state, 600);
        await sleep(300);
        expect(await create("b")).toBe(202);
        await holder.ended;
        expect(names()).toEqual(["a", "b"]);

        const second = await run(node, [cli, ...options, "--state", state], cwd);
        expect([second.code, second.stderr]).toEqual([
            1,
            expect.stringContaining(`${state} is in use by another emulator`),
        ]);
        kill(processesWith("cli.js").map((id) => ({ id })));
        await first.ended;
        expect(existsSync(`${linuxPath(state)}.lock`)).toBe(true);
        const third = await startEmulator("--state", state);
        const response = await third.request("GET", "/projects/emulator01/services");
        expect(((await response.json()) as object[]).length).toBe(2);
        kill(processesWith("cli.js").map((id) => ({ id })));
        await third.ended;
    });

    test("serves its page with all files, and says that a port is in use", async () => {
        const { page, url } = await startEmulator();
        const html = await (await fetch(page)).text();
        const files = [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
        expect(files.length).toBeGreaterThan(1);
        for (const path of files) {
            expect([path, (await fetch(new URL(path, page))).status]).toEqual([path, 200]);
        }
        const { port } = new URL(url);
        const other = await run(node, [cli, ...options.slice(2), "--port", port], cwd);
        expect([other.code, other.stderr]).toEqual([1, expect.stringContaining(port)]);
        kill(processesWith("cli.js").map((id) => ({ id })));
    });

    test("says where PostgreSQL runs", async () => {
        const refused = await run(node, [cli, ...options, "--postgres"], cwd);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Windows Subsystem for Linux")]);
    });
});
