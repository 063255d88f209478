import { parseArgs } from "node:util";
import type { AxiosAdapter } from "axios";
import { Client } from "../provider/api/client";
import { CloudDbError } from "../provider/api/errors";
import type { Credentials, SettingSource } from "../provider/api/settings";
import { version } from "../provider/api/version.gen";
import { formatDuration } from "../provider/wait/duration";
import { adoptLine, deleteLine, nameOf } from "./advice";
import { settingsOf } from "./environment";
import { inventory, isBeingCreated, type Thing } from "./inventory";
import { managedBy, NotAnExportError, type Managed } from "./stacks";

/** Where the command reads from and writes to. */
export interface CommandIo {
    readonly stdout: (text: string) => void;
    readonly stderr: (text: string) => void;
    readonly env: SettingSource["env"];
    /** The text of a file; `-` is standard input. */
    readonly read: (file: string) => Promise<string>;
    readonly now: () => number;
    readonly adapter?: AxiosAdapter;
}

const [ok, unmanaged, misused] = [0, 1, 2];

const help = `Usage: clouddb-orphans [options] EXPORT...

Lists what is in a project and in none of the given stacks: databases that cost money and that nobody manages.
It changes nothing. It skips services and replica sets that are being created. EXPORT is a file with what \`pulumi stack export\` prints, or - for standard input:

  pulumi stack export --stack prod | clouddb-orphans -

  --project ID   the project; default $CLOUDDB_PROJECT_ID
  --json         print JSON
  --help         show this
  --version      show the version

The service is found by CLOUDDB_BASE_URL and CLOUDDB_ACCESS_TOKEN; the config of a stack is not read.
Exit code: 0 nothing found, 1 something found, 2 failed.`;

/** The command clouddb-orphans; answers its exit code. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
    try {
        return await run(argv, io);
    } catch (error) {
        const known = error instanceof CloudDbError || error instanceof NotAnExportError || isUsage(error);
        if (!known) {
            throw error;
        }
        io.stderr(`clouddb-orphans: ${error.message}\n`);
        return misused;
    }
}

async function run(argv: readonly string[], io: CommandIo): Promise<number> {
    const { values, positionals } = parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
            project: { type: "string" },
            json: { type: "boolean" },
            help: { type: "boolean" },
            version: { type: "boolean" },
        },
    });
    if (values.help || values.version) {
        io.stdout(`${values.help ? help : version}\n`);
        return ok;
    }
    if (positionals.length === 0) {
        throw new NotAnExportError("No stacks given: without them everything would look unmanaged. See --help.");
    }
    const { projectId, ...settings } = settingsOf(io.env, values.project);
    const client = new Client(settings, io.adapter ? { adapter: io.adapter } : {});
    const exports = await Promise.all(positionals.map(async (file) => managedBy(await io.read(file), file)));
    const managed = exports.flat().filter((one) => (one.projectId ?? projectId) === projectId);
    const keyOf = ({ type, id }: Pick<Managed, "type" | "id">) => `${type} ${id}`;
    const known = new Set(managed.map(keyOf));
    const things = await inventory(client, projectId, ({ error }) => {
        io.stderr(`clouddb-orphans: an entry is left out: ${error.message}\n`);
    });
    const unknown = things.filter((thing) => !known.has(keyOf(thing)));
    const orphans = unknown.filter((thing) => !isBeingCreated(thing, io.now()));
    const found = { projectId, orphans, skipped: unknown.length - orphans.length, kind: settings.credentials.kind };
    io.stdout(values.json ? asJson(found) : asText(found, known.size, io.now()));
    return orphans.length === 0 ? ok : unmanaged;
}

/** What is in the project and in none of the stacks, and how to authenticate to delete it. */
interface Found {
    readonly projectId: string;
    readonly orphans: readonly Thing[];
    /** How many are not listed because they are being created. */
    readonly skipped: number;
    readonly kind: Credentials["kind"];
}

function asJson({ projectId, orphans, skipped, kind }: Found): string {
    const list = orphans.map((thing) => ({
        type: thing.type,
        id: thing.id,
        name: nameOf(thing.seen, thing.id),
        status: thing.seen.status,
        created: thing.seen.created,
        adopt: adoptLine(thing),
        delete: deleteLine(thing, kind),
    }));
    return `${JSON.stringify({ projectId, orphans: list, beingCreated: skipped }, null, 2)}\n`;
}

function asText({ projectId, orphans, skipped, kind }: Found, managed: number, now: number): string {
    const note = skipped > 0 ? [`Not listed: ${skipped} being created.`] : [];
    if (orphans.length === 0) {
        const text = `Project ${projectId}: no unmanaged resources; the stacks contain ${managed} of our resources.`;
        return [text, ...note, ""].join("\n");
    }
    const head = ["TYPE", "ID", "NAME", "STATUS", "AGE"];
    const rows = orphans.map(({ type, id, seen }) => [
        type,
        id,
        printable(nameOf(seen, id)),
        typeof seen.status === "string" ? seen.status : "",
        typeof seen.created === "string" ? formatDuration(Math.max(now - Date.parse(seen.created), 0)) : "",
    ]);
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
    const table = [head, ...rows].map((row) =>
        row
            .map((cell, i) => cell.padEnd(widths[i] ?? 0))
            .join("  ")
            .trimEnd(),
    );
    return [
        `Project ${projectId}: ${orphans.length} in none of the given stacks.`,
        ...note,
        "",
        ...table,
        "",
        "To adopt one, add its line to a program and run `pulumi up`:",
        ...orphans.map((thing) => `  ${adoptLine(thing)}`),
        "",
        "To delete one and its data permanently. Run the commands in this order, and wait until each resource is gone:",
        ...orphans.map((thing) => `  ${deleteLine(thing, kind)}`),
        "",
    ].join("\n");
}

/** A name from the other side must not move the cursor of somebody's terminal. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, "?");

/** Whether the command line, or a file named in it, is what is wrong. */
function isUsage(error: unknown): error is Error {
    const { code } = error as { code?: unknown };
    return typeof code === "string" && (code.startsWith("ERR_PARSE_ARGS") || code === "ENOENT");
}
