import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Service } from "../../sdk/nodejs/native";
import { startStack } from "../support/engine";

const executable = join(__dirname, "..", "..", "pulumi-resource-clouddb");

let plugin: ChildProcessByStdio<null, Readable, null>;
let attached: { PULUMI_DEBUG_PROVIDERS: string };

beforeAll(async () => {
    // A person starts the plugin, without the address of an engine.
    plugin = spawn(process.execPath, [executable], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(plugin.stdout, "data")) as [Buffer];
    attached = { PULUMI_DEBUG_PROVIDERS: `clouddb:${port.toString().trim()}` };
});
afterAll(() => plugin.kill("SIGKILL"));
test("an attached plugin serves several runs, one after the other", async () => {
    const stack = await startStack();
    stack.env(attached);
    const program = (environment: "DEV" | "PROD") => () => {
        new Service("orders", { environment });
    };
    await stack.setConfig("clouddb:baseUrl", stack.emulator.url);
    await stack.setConfig("clouddb:projectId", stack.emulator.projectId);
    await stack.setConfig("clouddb:accessToken", stack.emulator.token, true);
    expect((await stack.up(program("DEV"))).operations).toEqual({ orders: "create" });
    expect((await stack.up(program("PROD"))).operations).toEqual({ orders: "update" });
    await stack.refresh();
    await stack.destroy();
    expect(stack.calls()).toEqual(["createService", "setEnvironment", "deleteService"]);
    expect(plugin.exitCode).toBeNull();
});

test("a signal ends an attached plugin", async () => {
    const ended = once(plugin, "exit");
    plugin.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
});
