import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd } from "../support/atEnd";
import { newFolder } from "../support/folder";
import { document } from "./document";

const command = join(__dirname, "node_modules", "@stoplight", "prism-cli", "dist", "index.js");

async function freePort(): Promise<number> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    return port;
}

/**
 * Starts the proxy between the provider and the API at this URL. A request or an answer outside of the description is an error that
 * ends the run. Returns the URL of the proxy, and what it has printed about violations.
 */
export async function startProxy(url: string): Promise<{ url: string; violations: string[] }> {
    const file = join(newFolder(), "openapi.json");
    writeFileSync(file, JSON.stringify(document));
    const { origin, pathname } = new URL(url);
    const port = String(await freePort());
    const args = ["proxy", file, origin, "--host", "127.0.0.1", "--port", port, "--errors"];
    // The packages of the proxy report their installation and use to their maker otherwise.
    const env = { ...process.env, SCARF_ANALYTICS: "false", DO_NOT_TRACK: "1", NO_COLOR: "1" };
    const child = spawn(process.execPath, [command, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    atEnd(() => child.kill("SIGKILL"));
    const violations: string[] = [];
    await new Promise<void>((resolve, reject) => {
        const read = (data: Buffer) => {
            const lines = data.toString().split("\n");
            violations.push(...lines.filter((line) => /violation|error/i.test(line)));
            if (lines.some((line) => line.includes("Prism is listening"))) {
                resolve();
            }
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        child.once("exit", (code) =>
            reject(new Error(`The proxy has ended with ${String(code)}: ${violations.join("\n")}`)),
        );
    });
    return { url: `http://127.0.0.1:${port}${pathname}`, violations };
}
