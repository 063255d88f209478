import { readSync } from "node:fs";

// The standard streams of all commands.

/** The exit code of a command that failed. */
const failed = 2;

/** Where a command prints. */
interface Streams {
    readonly stdout: (text: string) => void;
    readonly stderr: (text: string) => void;
}

/**
 * Runs a command, which returns its exit code. A reader that has gone, as `head` does, changes nothing. Any other failure of an
 * output, such as a full disk, is one line.
 */
export async function runCommand(
    name: string,
    work: (streams: Streams) => number | Promise<number>,
    onFailure: () => void = () => undefined,
): Promise<void> {
    let failure: number | undefined;
    for (const stream of [process.stdout, process.stderr]) {
        stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
            if (code !== "EPIPE" && failure === undefined) {
                process.exitCode = failure = failed;
                process.stderr.write(`${name}: ${message}\n`);
                onFailure();
            }
        });
    }
    const code = await work({
        stdout: (text) => process.stdout.write(text),
        stderr: (text) => process.stderr.write(text),
    });
    process.exitCode = failure ?? code;
}

const standardInput = 0;
const chunkBytes = 65_536;
const pauseMs = 20;

/** Reads the standard input to its end. One that does not block, as a parent process may pass it, has nothing to read at times. */
export function readInput(): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
        const chunk = Buffer.alloc(chunkBytes);
        try {
            const length = readSync(standardInput, chunk);
            if (length === 0) {
                return Buffer.concat(chunks);
            }
            chunks.push(chunk.subarray(0, length));
        } catch (error) {
            const { code } = error as NodeJS.ErrnoException;
            if (code === "EOF") {
                return Buffer.concat(chunks);
            }
            if (code !== "EAGAIN") {
                throw error;
            }
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
        }
    }
}
