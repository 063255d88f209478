import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { settingsOf } from "../../cli/environment";
import { environmentNames } from "../../provider/api/settings";
import { root } from "../support/documents";
import type { Limits } from "./guard";

/** The API that the suite runs against. */
export interface Target {
    readonly baseUrl: string;
    /** The access token, as the provider reads it. */
    readonly token: string;
    readonly projectId: string;
    /** Whether the suite has started it. Then it must match the documentation exactly. */
    readonly isEmulator: boolean;
    /** The pause between two reads of a wait. */
    readonly pollMs: number;
    readonly stop: () => Promise<void>;
}

const emulatorSpeed = "20";

/** The region of the resources. */
export const region = process.env.CLOUDDB_ACCEPTANCE_REGION ?? "us-east-1";

/** The sizes of the services, before and after a resize. */
export const sizes = { small: 500, large: 1_000 } as const;

/** The most that exists at a time. */
export const limits: Limits = { services: 3, cpuMillis: sizes.large, replicas: 2 };

/** The API at CLOUDDB_BASE_URL. Without this variable, a new emulator in its own process. */
export async function startTarget(env: NodeJS.ProcessEnv = process.env): Promise<Target> {
    if ((env[environmentNames.baseUrl] ?? "").trim() === "") {
        return startEmulatorProcess();
    }
    const { baseUrl, projectId } = settingsOf(env, undefined);
    const token = env[environmentNames.accessToken] ?? "";
    return { baseUrl, token, projectId, isEmulator: false, pollMs: 10_000, stop: () => Promise.resolve() };
}

async function startEmulatorProcess(): Promise<Target> {
    const token = randomBytes(16).toString("hex");
    const projectId = "acceptance";
    const cli = join(root, "dist", "emulator", "cli.js");
    const child = spawn(process.execPath, [cli, "--project", projectId, "--speed", emulatorSpeed], {
        env: { PATH: process.env.PATH, [environmentNames.accessToken]: token },
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await Promise.race([
        once(child.stdout, "data"),
        once(child, "exit").then(() => Promise.reject(new Error("The emulator did not start."))),
    ])) as [Buffer];
    const [, baseUrl] = /^LISTENING (\S+)/.exec(line.toString()) ?? [];
    if (baseUrl === undefined) {
        throw new Error(`The emulator printed ${line.toString()} instead of its address.`);
    }
    const stop = async () => {
        child.kill("SIGTERM");
        await once(child, "exit");
    };
    return { baseUrl, token, projectId, isEmulator: true, pollMs: 50, stop };
}
