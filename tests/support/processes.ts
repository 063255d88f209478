import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface RunningProcess {
    readonly id: number;
    readonly command: string;
}

/** The processes that a process has started, directly or not, without those that have ended. */
export async function processesBelow(parent = process.pid): Promise<RunningProcess[]> {
    const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { maxBuffer: 2 ** 26 });
    const all = stdout.split("\n").flatMap((line) => {
        const [, id, of, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
        const isRunning = id !== undefined && !state.startsWith("Z") && !command.startsWith("ps -A");
        return isRunning ? [{ id: Number(id), of: Number(of), command }] : [];
    });
    const below = (one: number): RunningProcess[] =>
        all.filter(({ of }) => of === one).flatMap(({ id, command }) => [{ id, command }, ...below(id)]);
    return below(parent);
}

export const isProvider = ({ command }: RunningProcess): boolean =>
    /dynamic-provider|pulumi-resource-clouddb/.test(command);

/** Ends processes. One may have ended already. */
export function kill(processes: readonly Pick<RunningProcess, "id">[], signal: NodeJS.Signals = "SIGKILL"): void {
    for (const { id } of processes) {
        try {
            process.kill(id, signal);
        } catch {
            // It has ended.
        }
    }
}
