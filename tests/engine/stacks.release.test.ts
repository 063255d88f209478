import { getServices, Service } from "../../sdk/nodejs";
import { host, startStack } from "../support/engine";

// What only the engine shows: the settings of an inline program.

test("Automation API: functions of an inline program read the config, not envVars", async () => {
    const stack = await startStack();
    const { url, projectId, token } = stack.emulator;
    const results: unknown[] = [];
    const program = async () => {
        new Service("orders");
        results.push(await getServices().catch((error: unknown) => error));
    };
    await stack.preview(program);
    // The engine has the variables and starts the plugin with them.
    const unconfigured = expect.objectContaining({
        message: expect.stringContaining("stack.setConfig") as string,
    }) as Error;
    expect(results).toEqual([host === "native" ? [] : unconfigured]);
    results.length = 0;

    await stack.setConfig("clouddb:baseUrl", url);
    await stack.setConfig("clouddb:projectId", projectId);
    await stack.setConfig("clouddb:accessToken", token, true);
    await stack.preview(program);
    expect(results).toEqual([[]]);
});
