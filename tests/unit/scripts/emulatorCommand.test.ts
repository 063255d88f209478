import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../../support/documents";
import { newFolder } from "../../support/folder";

/** Starts the emulator from a shell, as npm does, and waits until it responds. `ended` resolves when the last process has ended. */
async function startFromShell(): Promise<{
    end: (signal: NodeJS.Signals) => void;
    ended: Promise<unknown>;
    url: string;
}> {
    const script = join(root, "scripts", "run.mjs");
    // Because of the second command, the shell does not replace itself with the script.
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${script}" emulator --state "${newFolder()}/world"; :`], {
        stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    // The emulator keeps the pipe open until its last write of the state.
    const ended = once(shell.stdout.resume(), "end");
    return { end: (signal) => void shell.kill(signal), ended, url: line.toString().replace("LISTENING ", "").trim() };
}

const responds = (url: string): Promise<boolean> =>
    fetch(url).then(
        () => true,
        () => false,
    );

it("the emulator ends when npm ends, although the shell of npm does not pass the signal on", async () => {
    const { end, ended, url } = await startFromShell();
    expect(await responds(url)).toBe(true);

    end("SIGTERM");

    await ended;
    expect(await responds(url)).toBe(false);
});
