import { readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { EmulatorStartError } from "../errors";
import { kinds } from "../kinds";
import type { Kind } from "../kinds";
import type { WorldState } from "../world/state";
import { emptyWorld } from "../world/world";
import { lockStateFile } from "./lock";

/** The version of the file format. Increase it with every incompatible change. */
const formatVersion = 1;

interface Content {
    format: number;
    world: WorldState;
}

/** The world on disk. The file is always complete and as recent as the last response. */
export class StateFile {
    readonly path: string;
    private readonly unlock: () => void;
    /** The current write, or the previous one. */
    private last = Promise.resolve();
    /** The next write, which has not started yet. */
    private next: Promise<void> | undefined;
    private savedText: string | undefined;

    /** Locks the file for this emulator. */
    constructor(path: string) {
        this.path = resolve(path);
        this.unlock = lockStateFile(this.path);
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
     * Resolves when the current state, or a later one, is on disk. Writes do not overlap: all calls during a write share the
     * next one.
     */
    save(state: () => WorldState): Promise<void> {
        this.next ??= this.last
            .catch(() => undefined)
            .then(() => {
                this.next = undefined;
                this.last = this.write(state());
                return this.last;
            });
        return this.next;
    }

    /** The state of the last successful write. */
    saved(): WorldState | undefined {
        return this.savedText === undefined ? undefined : (JSON.parse(this.savedText) as Content).world;
    }

    /** Unlocks the file. No save may be in progress. */
    close(): void {
        this.unlock();
    }

    /** Writes a temporary file and renames it, so that a crash leaves either the old or the new content. */
    private async write(world: WorldState): Promise<void> {
        const content: Content = { format: formatVersion, world };
        const text = `${JSON.stringify(content)}\n`;
        const temporary = `${this.path}.tmp`;
        try {
            const file = await open(temporary, "w", 0o600);
            try {
                await file.writeFile(text);
                await file.sync();
            } finally {
                await file.close();
            }
            await rename(temporary, this.path);
        } catch (error) {
            await rm(temporary, { force: true }).catch(() => undefined);
            throw error;
        }
        this.savedText = text;
    }

    private unusable(reason: string, cause: unknown): EmulatorStartError {
        const message = `State file ${this.path} cannot be read: ${reason}. Move it to start with an empty state.`;
        return new EmulatorStartError("state-unusable", message, { cause });
    }
}

/** A list that is missing is empty. */
function check(content: unknown): WorldState {
    const { format, world } = (content ?? {}) as Partial<Content>;
    if (format !== formatVersion) {
        throw new Error(`format ${String(format)} instead of ${formatVersion}`);
    }
    if (typeof world?.random !== "number" || typeof world.counts !== "object") {
        throw new Error("no counts");
    }
    for (const part of ["projects", ...kinds] as const) {
        const { [part]: list = [] }: Partial<WorldState> = world;
        const broken = list.findIndex((record) => !isRecord(part, record));
        if (broken >= 0) {
            throw new Error(`entry ${broken + 1} of ${part} is incomplete`);
        }
    }
    const empty = emptyWorld([], 0);
    return { ...empty, ...world, counts: { ...empty.counts, ...world.counts } };
}

/** Whether a record has the parts that the emulator reads without a check. */
function isRecord(part: Kind | "projects", record: unknown): boolean {
    const { id, createdAt, values, steps } = Object(record) as Readonly<Record<string, unknown>>;
    const isDated = part === "projects" || typeof createdAt === "number";
    const isChanging = part === "projects" || part === "vpcs" || (Array.isArray(steps) && Object(values) === values);
    return typeof id === "string" && isDated && isChanging;
}
