import { createInterface } from "node:readline/promises";
import { settingsOf } from "../../../cli/environment";
import { Client } from "../../../provider/api/client";
import { messageOf } from "../../../provider/api/callErrors";
import { sweep } from "./sweep";

/** Without a terminal, the list is only a record: a scheduled job deletes what it has listed. */
async function confirm(count: number): Promise<boolean> {
    if (!process.stdin.isTTY) {
        return true;
    }
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(`Delete these ${count} services and their data? Type yes: `);
    terminal.close();
    return answer.trim() === "yes";
}

async function main(argv: readonly string[]): Promise<number> {
    const [option] = argv;
    if (argv.length > 1 || (option !== undefined && option !== "--list")) {
        throw new Error(`Unknown option ${argv.join(" ")}. After --sweep there may be --list, which deletes nothing.`);
    }
    const { projectId, ...settings } = settingsOf(process.env, undefined);
    return sweep({
        client: new Client(settings),
        projectId,
        print: (text) => process.stdout.write(`${text}\n`),
        confirm: option === "--list" ? () => Promise.resolve(false) : confirm,
    });
}

main(process.argv.slice(2)).then(
    (failures) => (process.exitCode = failures === 0 ? 0 : 1),
    (error: unknown) => {
        process.stderr.write(`error: ${messageOf(error)}\n`);
        process.exitCode = 1;
    },
);
