import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestStack } from "./engine";
import { runShell } from "./project";

const orphansCommand = join(__dirname, "..", "..", "dist", "cli", "clouddb-orphans.js");

/** The ids of the services that nobody has deleted. */
export function remainingServices({ emulator }: TestStack): string[] {
    const { services } = emulator.snapshot();
    return services.filter(({ status }) => status !== "DELETING").map(({ service_id: id }) => id);
}

/** What `clouddb-orphans --delete-commands` prints for the stack. */
export async function orphansOf(stack: TestStack): Promise<string> {
    const file = join(stack.folder, "stack.json");
    writeFileSync(file, await stack.exported());
    const args = [orphansCommand, "--delete-commands", file];
    const run = promisify(execFile)(process.execPath, args, { env: stack.environment() });
    // The exit code says that there are some.
    return (await run.catch((error: unknown) => error as { stdout: string })).stdout;
}

/** Runs the only command in the list that deletes something. */
export async function deleteOrphan(stack: TestStack, list: string): Promise<void> {
    const commands = list.match(/curl .*/g) ?? [];
    expect(commands).toHaveLength(1);
    await runShell(commands.join("\n"), stack.folder, stack.environment());
}

/** The way out with this label in a message. */
export function lineOf(message: string, label: string): string {
    const line = message.split("\n").find((one) => one.trim().startsWith(`${label}: `));
    if (line === undefined) {
        throw new Error(`The message has no line ${label}:\n${message}`);
    }
    return line;
}

/** Runs the first command in the message that begins like this, as a pipeline does. */
export async function follow(stack: TestStack, message: string, beginning: string): Promise<void> {
    const [command] = message.split("`").filter((text) => text.startsWith(beginning));
    if (command === undefined) {
        throw new Error(`The message has no command that begins with ${beginning}:\n${message}`);
    }
    await stack.pulumi("stack", "select");
    await runShell(command, stack.folder, { ...stack.environment(), PULUMI_SKIP_CONFIRMATIONS: "true" });
}
