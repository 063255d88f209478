import { parseArgs } from "node:util";
import type { AxiosAdapter } from "axios";
import { Client } from "../provider/api/client";
import { partsOf } from "../provider/api/callErrors";
import type { SettingSource } from "../provider/api/settings";
import { version } from "../provider/api/version.gen";
import { format, type Message, way, printable } from "../provider/base/message";
import { formatSize } from "../provider/base/size";
import { formatDuration } from "../provider/base/time";
import { listedName, ProjectResources } from "./projectResources";
import { authenticationWith, deletionCommand, type Authentication } from "./deletionCommand";
import { settingsOf } from "./environment";
import { inventory, isBeingCreated, type InventoryItem } from "./inventory";
import { managedBy, notAnExport, NotAnExportError, type Managed } from "./stacks";
import { printableJson } from "./printableJson";
import { partsForUser } from "./usage";

/** The input and output of the command. */
export interface CommandIo {
    readonly stdout: (text: string) => void;
    readonly stderr: (text: string) => void;
    readonly env: SettingSource["env"];
    /** Returns the content of a file; `-` is standard input. */
    readonly read: (file: string) => Promise<Uint8Array>;
    readonly now: () => number;
    readonly adapter?: AxiosAdapter;
}

const [ok, unmanaged, failed] = [0, 1, 2];

const help = `Usage: clouddb-orphans [options] EXPORT...

Lists the resources of a project that are in none of the given stacks, each with the
input that adopts it. Other stacks may manage them. It only reads. It does not list
services and read replica sets that are being created.

EXPORT is a file with the output of \`pulumi stack export\`, or - for standard input:

  pulumi stack export --stack prod | clouddb-orphans -

Options:
  --project ID        project to read; default: $CLOUDDB_PROJECT_ID
  --delete-commands   print the commands that delete the resources as well
  --json              print JSON
  --help              print this help
  --version           print the version

CLOUDDB_BASE_URL and CLOUDDB_ACCESS_TOKEN must be set, or CLOUDDB_ACCESS_TOKEN_FILE
instead of the token. Stack configuration is not read.

Exit codes:
  0  no resource is listed
  1  at least one resource is listed
  2  the command failed`;

/** Runs the command clouddb-orphans and returns its exit code. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
    try {
        return await run(argv, io);
    } catch (error) {
        complain(io, partsForUser(error));
        return failed;
    }
}

function complain(io: CommandIo, message: Message): void {
    io.stderr(`clouddb-orphans: ${format(message)}\n`);
}

async function run(argv: readonly string[], io: CommandIo): Promise<number> {
    const { values, positionals } = parseArgs({
        args: [...argv],
        allowPositionals: true,
        options: {
            project: { type: "string" },
            "delete-commands": { type: "boolean" },
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
        throw new NotAnExportError({
            what: "No EXPORT was given. Without a stack, every resource would be listed as unmanaged.",
            ways: [way("Help", "`clouddb-orphans --help`")],
        });
    }
    const { projectId, ...settings } = settingsOf(io.env, values.project);
    const client = new Client(settings, {
        ...(io.adapter && { adapter: io.adapter }),
        warn: (message) => complain(io, message),
    });
    const exports = await Promise.all(positionals.map(async (file) => managedBy(await readExport(file, io), file)));
    const managed = exports.flat().filter((one) => (one.projectId ?? projectId) === projectId);
    const keyOf = ({ type, id }: Pick<Managed, "type" | "id">) => `${type} ${id}`;
    const managedKeys = new Set(managed.map(keyOf));
    const items = await inventory(new ProjectResources(client, projectId));
    const candidates = items.filter((item) => !managedKeys.has(keyOf(item)));
    const orphans = candidates.filter((item) => !isBeingCreated(item, io.now()));
    const deleteWith = values["delete-commands"] ? authenticationWith(settings.token) : undefined;
    const report = {
        projectId,
        orphans: orphans.map((item) => orphanOf(item, deleteWith)),
        beingCreated: candidates.length - orphans.length,
        managed: managedKeys.size,
    };
    io.stdout(values.json ? `${printableJson(JSON.stringify(report, null, 2))}\n` : asText(report, io.now()));
    return orphans.length === 0 ? ok : unmanaged;
}

function readExport(file: string, io: CommandIo): Promise<Uint8Array> {
    return io.read(file).catch((error: unknown) => {
        throw notAnExport(`${file} cannot be read: ${partsOf(error).what}`);
    });
}

/** What the command prints. */
interface Report {
    readonly projectId: string;
    /** The resources of the project that are in none of the given stacks. */
    readonly orphans: readonly Orphan[];
    /** The number of resources that are not listed because they are being created. */
    readonly beingCreated: number;
    /** The number of resources that the given stacks manage. */
    readonly managed: number;
}

/** What the command prints about a resource. */
type Orphan = ReturnType<typeof orphanOf>;

function orphanOf(item: InventoryItem, deleteWith: Authentication | undefined) {
    const { type, id, observed, path } = item;
    return {
        type,
        id,
        name: listedName(item),
        status: textOf(observed.status),
        created: textOf(observed.created),
        size: observed.cpuMillis === undefined ? undefined : formatSize(observed),
        /** The input that adopts it. */
        adopt: `existingId: ${printableJson(JSON.stringify(id))}`,
        delete: deleteWith && deletionCommand(path, deleteWith),
    };
}

function asText({ projectId, orphans, beingCreated, managed }: Report, now: number): string {
    const note = beingCreated > 0 ? [`Not listed because they are being created: ${beingCreated}`] : [];
    if (orphans.length === 0) {
        const text = `Project ${projectId}: no unmanaged resources. Managed by the given stacks: ${managed}`;
        return asLines([text, ...note]);
    }
    const head = ["TYPE", "ID", "NAME", "STATUS", "AGE", "SIZE", "ADOPT WITH"];
    const rows = orphans.map(({ type, id, name, status, created, size, adopt }) =>
        [type, id, name, status, ageOf(created, now), size, adopt].map((cell = "") => printable(cell)),
    );
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
    const table = [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
    const commands = orphans.flatMap((orphan) => orphan.delete ?? []);
    return asLines([
        `Project ${projectId}: ${orphans.length} not managed by the given stacks; other stacks may manage them`,
        ...note,
        "",
        ...table,
        "",
        "To adopt a resource, declare it in a program with its existingId, and run `pulumi up`.",
        ...(commands.length === 0 ? [] : ["", howToDelete, ...commands.map((command) => `  ${command}`)]),
    ]);
}

const howToDelete =
    "To delete a resource and its data permanently, make sure that no other stack manages it, and run its command. Keep this order, and wait until each resource is gone:";

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The age of a resource. Empty if its time of creation is not a time. */
function ageOf(created: string | undefined, now: number): string {
    const ms = now - Date.parse(created ?? "");
    return Number.isNaN(ms) ? "" : formatDuration(Math.max(ms, 0));
}

const asLines = (lines: readonly string[]): string => lines.map((line) => `${printable(line).trimEnd()}\n`).join("");
