import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { resolve } from "node:path";
import { EmulatorStartError } from "../errors";
import type { WorldState } from "../world/state";
import { lockStateFile } from "./lock";

/** Goes up when an older emulator could not read what a newer one writes, or the other way round. */
const FORMAT = 1;

interface Kept {
    format: number;
    world: WorldState;
}

const parts: readonly (keyof WorldState)[] = ["projects", "vpcs", "peerings", "services", "replicaSets"];

/** The world on disk: whole at any time, and as new as the last answer. */
export class StateFile {
    readonly #path: string;
    readonly #unlock: () => void;
    /** The write under way, or the one before. */
    #last = Promise.resolve();
    /** The write that is to follow and has not begun. */
    #next: Promise<void> | undefined;

    /** Takes the file for this emulator alone. */
    constructor(path: string) {
        this.#path = resolve(path);
        this.#unlock = lockStateFile(this.#path);
    }

    /** What the file holds; undefined when there is none yet. */
    read(): WorldState | undefined {
        let text: string;
        try {
            text = readFileSync(this.#path, "utf8");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
            throw this.#unusable((error as Error).message, error);
        }
        try {
            return check(JSON.parse(text));
        } catch (error) {
            throw this.#unusable(`it holds no state of an emulator (${(error as Error).message})`, error);
        }
    }

    /**
     * Resolves when a state at least as new as now is on disk. Writes do not overlap: those who come
     * while one is under way share the one after it.
     */
    save(state: () => WorldState): Promise<void> {
        this.#next ??= this.#last
            .catch(() => undefined)
            .then(() => {
                this.#next = undefined;
                this.#last = this.#write(state());
                return this.#last;
            });
        return this.#next;
    }

    /** Lets others use the file; no save may be under way. */
    close(): void {
        this.#unlock();
    }

    /** Into another file and then over this one, so that a crash leaves the old content or the new. */
    async #write(world: WorldState): Promise<void> {
        const kept: Kept = { format: FORMAT, world };
        const temporary = `${this.#path}.${process.pid}.tmp`;
        const file = await open(temporary, "w", 0o600);
        try {
            await file.writeFile(`${JSON.stringify(kept)}\n`);
            await file.sync();
        } finally {
            await file.close();
        }
        await rename(temporary, this.#path);
    }

    #unusable(reason: string, cause: unknown): EmulatorStartError {
        const message = `State file ${this.#path} cannot be read: ${reason}. Move it away to begin anew.`;
        return new EmulatorStartError("state-unusable", message, { cause });
    }
}

function check(kept: unknown): WorldState {
    const { format, world } = (kept ?? {}) as Partial<Kept>;
    if (format !== FORMAT) throw new Error(`format ${String(format)} instead of ${FORMAT}`);
    for (const part of parts) if (!Array.isArray(world?.[part])) throw new Error(`no list of ${part}`);
    if (typeof world?.random !== "number" || typeof world.counts !== "object") throw new Error("no counts");
    return world;
}
