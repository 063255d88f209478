import {
    appendFileSync,
    closeSync,
    lstatSync,
    mkdirSync,
    openSync,
    readdirSync,
    readSync,
    rmdirSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { CloudDbError } from "../api/errors";
import { uniqueId } from "../api/random";

/** One fact that a process of a run shares with the others: JSON values without secrets. */
export type Fact = Readonly<Record<string, unknown>>;

/**
 * The facts that the processes of one run share: the program, the provider, and one process for each explicit provider.
 * Each process publishes what it learns, and sees what the others have published.
 */
export interface RunFacts {
    publish(fact: Fact): void;
    /** The facts of the other processes since the last call, in order. */
    received(): readonly Fact[];
    /** Why facts may be missing; undefined if all could be shared. */
    readonly problem?: Error | undefined;
    /** Removes what this process has published, because its part of the run is over. */
    end?(): void;
}

/** The facts of a run with a single process. */
export const noFacts: RunFacts = { publish: () => undefined, received: () => [] };

/** The processes of a run cannot share what they know, so the provider cannot delete resources safely. */
export class FactFilesError extends CloudDbError {
    constructor(folder: string, reason: string) {
        super(
            `The provider cannot use the folder ${folder} (${reason}). The provider processes of a run use it to share ` +
                `which resources the program declares, so that none of them deletes a resource that another one manages. ` +
                `Set TMPDIR to a folder that only this user can write.`,
        );
    }
}

/**
 * The facts of the run that belongs to the engine at this address, in one file for each process, in a folder that only
 * the user can read. The files have no secrets. A folder whose processes have all ended belongs to an earlier run and
 * is removed. Only a deletion depends on the facts, so an error is reported as `problem`.
 */
export function factFiles(address: string, root = defaultRoot()): RunFacts {
    const folder = join(root, address.replace(/[^\w.-]/g, "_"));
    const own = `${process.pid}-${uniqueId()}.jsonl`;
    /** How far each file has been read, in bytes. */
    const offsets = new Map<string, number>();
    let isOpen = false;
    let problem: FactFilesError | undefined;
    const end = () => {
        exits.delete(onExit);
        rmSync(join(folder, own), { force: true });
        removeIfEnded(folder);
    };
    /** The other processes may not have read the last facts of this one. A later run removes its file. */
    const onExit = () => {
        if (!filesIn(folder).some((file) => file !== own && isRunning(Number.parseInt(file)))) {
            end();
        }
    };
    const open = () => {
        if (!isOpen) {
            makeRoot(root);
            for (const run of readdirSync(root)) {
                removeIfEnded(join(root, run));
            }
            createFile(folder, own);
            atExit(onExit);
            isOpen = true;
        }
    };
    const unlessFailing = <T>(otherwise: T, work: () => T): T => {
        try {
            open();
            return work();
        } catch (error) {
            problem = error instanceof FactFilesError ? error : new FactFilesError(root, (error as Error).message);
            return otherwise;
        }
    };
    return {
        end,
        get problem() {
            return problem;
        },
        publish: (fact) => {
            unlessFailing(undefined, () => appendFileSync(join(folder, own), `${JSON.stringify(fact)}\n`));
        },
        received: () =>
            unlessFailing<readonly Fact[]>([], () =>
                readdirSync(folder)
                    .filter((file) => file !== own)
                    .flatMap((file) => {
                        const { text, end } = readFrom(join(folder, file), offsets.get(file) ?? 0);
                        offsets.set(file, end);
                        return text
                            .split("\n")
                            .slice(0, -1)
                            .map((line) => JSON.parse(line) as Fact);
                    }),
            ),
    };
}

const exits = new Set<() => void>();
let isListening = false;

/** Calls the function when the process ends. A program can have many runs, and Node warns of many listeners. */
function atExit(work: () => void): void {
    exits.add(work);
    if (!isListening) {
        isListening = true;
        process.once("exit", () => {
            exits.forEach((one) => {
                one();
            });
        });
    }
}

function defaultRoot(): string {
    return join(tmpdir(), `pulumi-clouddb-${userInfo().uid}`);
}

/** Creates the folder of all runs. Another user could have created it earlier, to read or forge the facts. */
function makeRoot(root: string): void {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const { uid } = userInfo();
    const found = lstatSync(root);
    // Windows has no user ids, and its temporary folder belongs to the user.
    if (uid >= 0 && (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)) {
        throw new FactFilesError(root, "it belongs to another user, or other users can access it");
    }
}

/** Creates a file in the folder of a run. Another process may remove the folder while it is empty. */
function createFile(folder: string, file: string, attempts = 3): void {
    try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(join(folder, file), "", { mode: 0o600 });
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempts === 1) {
            throw error;
        }
        createFile(folder, file, attempts - 1);
    }
}

/** The complete lines of a file from this offset, and the offset at which they end. */
function readFrom(file: string, offset: number): { text: string; end: number } {
    const length = statSync(file).size - offset;
    if (length <= 0) {
        return { text: "", end: offset };
    }
    const buffer = Buffer.alloc(length);
    const descriptor = openSync(file, "r");
    try {
        const read = buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
        const complete = read.subarray(0, read.lastIndexOf("\n") + 1);
        return { text: complete.toString(), end: offset + complete.length };
    } finally {
        closeSync(descriptor);
    }
}

/** Removes the folder of a run whose processes have all ended. Another process may add its file at the same time. */
function removeIfEnded(run: string): void {
    const files = filesIn(run);
    if (!files.some((file) => isRunning(Number.parseInt(file)))) {
        files.forEach((file) => {
            rmSync(join(run, file), { force: true });
        });
        try {
            rmdirSync(run);
        } catch {
            // It is in use, or another process has removed it.
        }
    }
}

/** The files of a folder; none if another process has just removed it. */
function filesIn(folder: string): string[] {
    try {
        return readdirSync(folder);
    } catch {
        return [];
    }
}

function isRunning(pid: number): boolean {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
