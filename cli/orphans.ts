import { parseArgs } from "node:util";
import type { AxiosAdapter } from "axios";
import type { Authentication } from "../provider/api/accessToken";
import { Client, readOptions, type CallOptions } from "../provider/api/client";
import { partsOf } from "../provider/api/errors";
import type { SettingSource } from "../provider/api/settings";
import { version } from "../provider/api/version.gen";
import { format, type Message } from "../provider/inputs/message";
import { printable, printableJson } from "../provider/inputs/printable";
import { formatDuration } from "../provider/observe/duration";
import { nameOf, ProjectResources } from "../provider/resources/projectResources";
import { adoption, deleteLine } from "./advice";
import { settingsOf } from "./environment";
import { inputText } from "./inputText";
import { inventory, isBeingCreated, type InventoryItem } from "./inventory";
import { declarationLine, languageNamed, languageOf, languages, type Language } from "./languages";
import { managedBy, notAnExport, NotAnExportError, type Managed } from "./stacks";
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

Lists the resources of a project that are in none of the given stacks, with the lines
that adopt them. Other stacks may manage them. It only reads. It does not list services
and read replica sets that are being created.

EXPORT is a file with the output of \`pulumi stack export\`, or - for standard input:

  pulumi stack export --stack prod | clouddb-orphans -

Options:
  --project ID        project to read; default: $CLOUDDB_PROJECT_ID
  --language NAME     language of the lines: ${languages.join(", ")};
                      default: that of Pulumi.yaml in this folder, or ${languages[0]}
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
            language: { type: "string" },
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
            ways: [{ label: "Help", text: "`clouddb-orphans --help`" }],
        });
    }
    const { projectId, ...settings } = settingsOf(io.env, values.project);
    const client = new Client(settings, io.adapter ? { adapter: io.adapter } : {});
    const exports = await Promise.all(positionals.map(async (file) => managedBy(await readExport(file, io), file)));
    const managed = exports.flat().filter((one) => (one.projectId ?? projectId) === projectId);
    const keyOf = ({ type, id }: Pick<Managed, "type" | "id">) => `${type} ${id}`;
    const managedKeys = new Set(managed.map(keyOf));
    const onMalformed: CallOptions["onMalformed"] = ({ error }) => {
        const { what, ...parts } = error.parts;
        complain(io, { ...parts, what: `skipped a malformed entry of a list: ${what}` });
    };
    const items = await inventory(new ProjectResources(client, projectId, { ...readOptions, onMalformed }));
    const candidates = items.filter((item) => !managedKeys.has(keyOf(item)));
    const orphans = candidates.filter((item) => !isBeingCreated(item, io.now()));
    const report = {
        projectId,
        orphans,
        skipped: candidates.length - orphans.length,
        stacks: exports.length,
        managed: managedKeys.size,
        language: values.language === undefined ? await languageHere(io) : languageNamed(values.language),
        deleteWith: values["delete-commands"] ? client.authentication : undefined,
    };
    io.stdout(values.json ? asJson(report) : asText(report, io.now()));
    return orphans.length === 0 ? ok : unmanaged;
}

/** The language of the program in the current folder. */
async function languageHere({ read }: CommandIo): Promise<Language> {
    const project = await read("Pulumi.yaml").catch(() => undefined);
    return languageOf(Buffer.from(project ?? "").toString());
}

async function readExport(file: string, io: CommandIo): Promise<string> {
    const bytes = await io.read(file).catch((error: unknown) => {
        throw notAnExport(`${file} cannot be read: ${partsOf(error).what}`);
    });
    return inputText(bytes, file, "write it with `pulumi stack export --file FILE`");
}

/** The resources of a project that are in none of the given stacks. */
interface Report {
    readonly projectId: string;
    readonly orphans: readonly InventoryItem[];
    /** The number of resources that are not listed because they are being created. */
    readonly skipped: number;
    /** The number of given stacks. */
    readonly stacks: number;
    /** The number of resources that they manage. */
    readonly managed: number;
    /** The language of the lines that adopt the resources. */
    readonly language: Language;
    /** How the commands that delete the resources authenticate. Undefined if they are not printed. */
    readonly deleteWith: Authentication | undefined;
}

function asJson({ projectId, orphans, skipped, language, deleteWith }: Report): string {
    const list = orphans.map((item) => ({
        type: item.type,
        id: item.id,
        name: nameOf(item),
        status: item.observed.status,
        created: item.observed.created,
        adopt: declarationLine(language, adoption(item)),
        ...(deleteWith && { delete: deleteLine(item, deleteWith) }),
    }));
    return `${printableJson(JSON.stringify({ projectId, orphans: list, beingCreated: skipped }, null, 2))}\n`;
}

function asText(report: Report, now: number): string {
    const { projectId, orphans, skipped, stacks, managed, language, deleteWith } = report;
    const note = skipped > 0 ? [`Not listed because they are being created: ${skipped}`] : [];
    if (orphans.length === 0) {
        const text = `Project ${projectId}: no unmanaged resources. Managed by the given stacks: ${managed}`;
        return asLines([text, ...note]);
    }
    const head = ["TYPE", "ID", "NAME", "STATUS", "AGE"];
    const rows = orphans.map(({ type, id, observed }) => [
        type,
        printable(id),
        printable(nameOf({ observed, id })),
        typeof observed.status === "string" ? printable(observed.status) : "",
        typeof observed.created === "string" ? ageOf(observed.created, now) : "",
    ]);
    const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
    const table = [head, ...rows].map((row) =>
        row
            .map((cell, i) => cell.padEnd(widths[i] ?? 0))
            .join("  ")
            .trimEnd(),
    );
    return asLines([
        `Project ${projectId}: ${orphans.length} ${orphans.length === 1 ? "resource" : "resources"} ` +
            `${stacks === 1 ? "not in the stack" : `in none of the ${stacks} stacks`} given; other stacks may manage them`,
        ...note,
        "",
        ...table,
        "",
        "To adopt a resource, add its line to a program and run `pulumi up`:",
        ...orphans.map((item) => `  ${declarationLine(language, adoption(item))}`),
        ...(deleteWith === undefined
            ? []
            : [
                  "",
                  "To delete a resource and its data permanently, make sure that no other stack manages it, and run its command. Keep this order, and wait until each resource is gone:",
                  ...orphans.map((item) => `  ${deleteLine(item, deleteWith)}`),
              ]),
    ]);
}

/** The age of a resource. Empty if its time of creation is not a time. */
function ageOf(created: string, now: number): string {
    const ms = now - Date.parse(created);
    return Number.isNaN(ms) ? "" : formatDuration(Math.max(ms, 0));
}

const asLines = (lines: readonly string[]): string => lines.map((line) => `${printable(line)}\n`).join("");
