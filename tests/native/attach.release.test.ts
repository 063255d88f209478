import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Provider, Service } from "../../sdk/nodejs/native";
import { failed, startStack } from "../support/engine";

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

/** A stack whose runs attach to the plugin. */
async function attachedStack() {
    const stack = await startStack();
    stack.env(attached);
    await stack.setConfig("clouddb:baseUrl", stack.emulator.url);
    await stack.setConfig("clouddb:projectId", stack.emulator.projectId);
    await stack.setConfig("clouddb:accessToken", stack.emulator.token, true);
    return stack;
}

test("an attached plugin serves several runs, one after the other", async () => {
    const stack = await attachedStack();
    const program = (environment: "DEV" | "PROD") => () => {
        new Service("orders", { environment });
    };
    expect((await stack.up(program("DEV"))).operations).toEqual({ orders: "create" });
    expect((await stack.up(program("PROD"))).operations).toEqual({ orders: "update" });
    await stack.refresh();
    await stack.destroy();
    expect(stack.calls()).toEqual(["createService", "setEnvironment", "deleteService"]);
    expect(plugin.exitCode).toBeNull();
});

test("an attached plugin refuses a second provider with other settings, and the next run has one", async () => {
    const stack = await attachedStack();
    const program = () => {
        new Service("orders");
    };
    const withAnother = () => {
        program();
        const { url: baseUrl, token: accessToken } = stack.emulator;
        const provider = new Provider("another", { baseUrl, accessToken, projectId: "project002" });
        new Service("reports", {}, { provider });
    };
    expect((await failed(stack.up(withAnother))).errors.join()).toContain("with one provider");
    await stack.up(program);
    expect(stack.emulator.snapshot().services).toMatchObject([{ project_id: stack.emulator.projectId }]);
    await stack.destroy();
});

test("a signal ends an attached plugin", async () => {
    const ended = once(plugin, "exit");
    plugin.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
});
