import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const plugin = join(__dirname, "..", "..", "pulumi-resource-clouddb");
const limitMs = 2_000;

/** Starts the plugin as the engine does. The plugin prints its port to this output, and closes it when it ends. */
const startPlugin = `
    const engine = require("node:net").createServer().listen(0, "127.0.0.1", () => {
        const args = [${JSON.stringify(plugin)}, "127.0.0.1:" + engine.address().port];
        require("node:child_process").spawn(process.execPath, args, { stdio: "inherit" });
    });
`;

test("the plugin ends within two seconds after the engine was killed", async () => {
    const engine = spawn(process.execPath, ["-e", startPlugin]);
    const [port] = (await once(engine.stdout, "data")) as [Buffer];
    expect(Number(port.toString())).toBeGreaterThan(0);

    engine.kill("SIGKILL");
    const killedAt = Date.now();
    await once(engine.stdout, "close");
    expect(Date.now() - killedAt).toBeLessThan(limitMs);
});
