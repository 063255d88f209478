import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lastFatalOf } from "../world/logs";
import { readInside } from "./inside";
import type { Installation } from "./installation";
import { isFree } from "./ports";
import { serverEnvironment } from "./process";
import { readServerLog } from "./serverLog";

const pollMs = 15;
const stopLimitMs = 20_000;
/** The line of postmaster.pid that contains the status of the server. */
const statusLine = 7;
const stderrKept = 2_000;

export interface ServerOptions {
    folder: string;
    port: number;
    /** Settings for this start only. */
    settings?: Readonly<Record<string, string>>;
}

/** A running PostgreSQL server. */
export class Server {
    private readonly process: ChildProcess;
    private readonly ended: Promise<void>;
    private stderr = "";
    isStopping = false;

    private constructor(
        private readonly installation: Installation,
        private readonly options: ServerOptions,
    ) {
        const { folder, port, settings = {} } = options;
        const { binaries, user, home, certificateFile, keyFile } = installation;
        const all = { port: String(port), ssl_cert_file: certificateFile, ssl_key_file: keyFile, ...settings };
        const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
        const child = spawn(binaries.postgres, ["-D", folder, ...args], {
            ...user,
            cwd: folder,
            env: serverEnvironment(home),
            stdio: ["ignore", "ignore", "pipe"],
            // Ctrl-C in a terminal must only reach the emulator.
            detached: true,
        });
        child.stderr.on("data", (data: Buffer) => (this.stderr = (this.stderr + data.toString()).slice(-stderrKept)));
        // The emulator does not keep its process alive, and when that ends, the watcher ends the servers.
        child.unref();
        (child as unknown as { stderr: Socket }).stderr.unref();
        this.process = child;
        this.ended = new Promise((resolve) => {
            child.once("error", (error) => {
                this.stderr += error.message;
                resolve();
            });
            child.once("exit", () => resolve());
        });
    }

    /** Resolves when the server accepts connections. */
    static async start(installation: Installation, options: ServerOptions): Promise<Server> {
        const { port } = options;
        if (!(await isFree(port))) {
            throw new Error(`port ${port} is in use by another process. End that process, or delete this database`);
        }
        const server = new Server(installation, options);
        while (!server.isReady()) {
            if (server.hasEnded) {
                throw new Error(server.failure);
            }
            await sleep(pollMs);
        }
        return server;
    }

    get hasEnded(): boolean {
        const { exitCode, signalCode, pid } = this.process;
        return pid === undefined || exitCode !== null || signalCode !== null;
    }

    /** The reason why it stopped. */
    get failure(): string {
        const lines = this.stderr.trim().split("\n");
        const message = lines.filter((line) => /FATAL|PANIC|ERROR|could not/.test(line)).at(-1) ?? lines.at(-1);
        const fatal = lastFatalOf({ log: readServerLog(this.options.folder, this.installation.user) });
        return fatal ?? message ?? "it stopped without a message";
    }

    onEnd(act: () => void): void {
        void this.ended.then(act);
    }

    /** Ends all sessions and stops the server. Resolves when it has stopped. */
    async stop(): Promise<void> {
        this.isStopping = true;
        this.process.ref();
        this.process.kill("SIGINT");
        const limit = setTimeout(() => this.process.kill("SIGQUIT"), stopLimitMs);
        await this.ended;
        clearTimeout(limit);
    }

    private isReady(): boolean {
        const lines = readInside(this.installation.user, join(this.options.folder, "postmaster.pid")).split("\n");
        return Number(lines[0]) === this.process.pid && lines[statusLine]?.trim() === "ready";
    }
}
