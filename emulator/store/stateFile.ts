import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmulatorStartError, unsaved } from "../errors";
import type { WorldState } from "../world/state";
import type { World } from "../world/world";
import { lockStateFile } from "./lock";

/** The version of the file format. Increase it with every incompatible change. */
const formatVersion = 1;

const remedy = "The change is in force, but a restart would lose it. Free some space, or make the file writable.";

/** Each kind has a list of its own in `world`, under its name. */
interface Content {
    format: number;
    world: Omit<WorldState, "records">;
}

/** The world on disk. The file is always complete and as recent as the last response. */
export class StateFile {
    readonly path: string;
    /** Unlocks the file. No save may be in progress. */
    readonly close: () => void;
    /** The current write, or the previous one. */
    private last = Promise.resolve();
    /** The next write, which has not started yet. */
    private next: Promise<void> | undefined;

    /** Locks the file for this emulator. */
    constructor(path: string) {
        this.path = resolve(path);
        this.close = lockStateFile(this.path);
    }

    /** The content of the file. Undefined if it does not exist. */
    read(): WorldState | undefined {
        let text: string;
        try {
            text = readFileSync(this.path, "utf8");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return undefined;
            }
            throw this.unusable((error as Error).message, error);
        }
        try {
            return check(JSON.parse(text));
        } catch (error) {
            throw this.unusable(`it is not a state of an emulator (${(error as Error).message})`, error);
        }
    }

    /**
     * Resolves when the current state of the world, or a later one, is on disk. Otherwise rejects with the response to the
     * request that has changed it. Writes do not overlap: all calls during a write share the next one.
     */
    save(world: World): Promise<void> {
        this.next ??= this.last
            .catch(() => undefined)
            .then(() => {
                this.next = undefined;
                this.last = this.write(world.state());
                return this.last;
            });
        return this.next;
    }

    /** Writes a temporary file and renames it, so that a crash leaves either the old or the new content. */
    private async write({ records, ...world }: WorldState): Promise<void> {
        const content: Content = { format: formatVersion, world: { ...world, ...records } };
        const text = `${JSON.stringify(content)}\n`;
        const temporary = `${this.path}.tmp`;
        try {
            await untilFree(async () => {
                // A write that was killed may have left one, or another user of the folder may have made one.
                await rm(temporary, { force: true });
                await writeFile(temporary, text, { mode: 0o600, flush: true, flag: "wx" });
                await rename(temporary, this.path);
            });
        } catch (error) {
            await rm(temporary, { force: true }).catch(() => undefined);
            throw unsaved(`The state file ${this.path} cannot be written: ${(error as Error).message}. ${remedy}`);
        }
    }

    private unusable(reason: string, cause: unknown): EmulatorStartError {
        const message = `State file ${this.path} cannot be read: ${reason}. Move it to start with an empty state.`;
        return new EmulatorStartError("state-unusable", message, { cause });
    }
}

/** The pauses before another attempt, about a second together. */
const pausesMs = [10, 40, 150, 300, 500];

/** On Windows, no file can be replaced while another program has it open, such as an editor or a virus scanner. */
async function untilFree(write: () => Promise<void>): Promise<void> {
    for (const pauseMs of pausesMs) {
        try {
            await write();
            return;
        } catch (error) {
            if (!["EPERM", "EACCES", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) {
                throw error;
            }
            await sleep(pauseMs);
        }
    }
    await write();
}

function check(content: unknown): WorldState {
    const { format, world } = (content ?? {}) as Partial<Content>;
    if (format !== formatVersion) {
        throw new Error(`format ${String(format)} instead of ${formatVersion}`);
    }
    const { counts, now, random, ...lists } = (world ?? {}) as Partial<WorldState>;
    if (typeof random !== "number" || typeof counts !== "object") {
        throw new Error("no counts");
    }
    const { projects = [], ...records } = lists as Partial<WorldState> & WorldState["records"];
    return { ...(now !== undefined && { now }), random, projects, counts, records };
}
