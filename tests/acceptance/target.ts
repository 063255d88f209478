import { randomBytes } from "node:crypto";
import { settingsOf } from "../../cli/environment";
import { environmentNames } from "../../provider/api/settings";
import { startCommand } from "../support/emulatorCommand";
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
    const [token, projectId] = [randomBytes(16).toString("hex"), "acceptance"];
    const env = { PATH: process.env.PATH, [environmentNames.accessToken]: token };
    const command = startCommand(["--project", projectId, "--speed", emulatorSpeed], { env });
    const { url: baseUrl } = await command.started;
    const stop = async () => {
        command.process.kill("SIGTERM");
        await command.ended;
    };
    return { baseUrl, token, projectId, isEmulator: true, pollMs: 50, stop };
}
