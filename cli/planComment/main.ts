import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { version } from "../../provider/api/version.gen";
import { driftReport, planComment } from "./comment";
import { parsePreview, PreviewFormatError } from "./preview";

/** Where the command reads from and writes to. */
export interface CommandIo {
    readonly stdin: () => string;
    readonly stdout: (text: string) => void;
    readonly stderr: (text: string) => void;
}

const OK = 0;
const MISUSED = 2;

const HELP = `Usage: clouddb-plan-comment [options] [FILE]

Turns what \`pulumi preview --json\` prints, from FILE or standard input (-), into a short
Markdown comment for a pull request: what fails, what is deleted, replaced or
restarted, and then each API call in order.

  pulumi preview --json > preview.json; npx clouddb-plan-comment preview.json > comment.md

  --drift    for \`pulumi preview --refresh --json\`: the text of an issue about drift;
             nothing where there is none
  --help     show this
  --version  show the version
`;

/** The command clouddb-plan-comment; answers its exit code. */
export function main(argv: readonly string[], io: CommandIo): number {
    try {
        const { values, positionals } = parseArgs({
            args: [...argv],
            options: { drift: { type: "boolean" }, help: { type: "boolean" }, version: { type: "boolean" } },
            allowPositionals: true,
        });
        if (values.help || values.version) {
            io.stdout(values.help ? HELP : `${version}\n`);
            return OK;
        }
        const [file, ...more] = positionals;
        if (more.length > 0) {
            throw new PreviewFormatError("Give it one file.");
        }
        const preview = parsePreview(file === undefined || file === "-" ? io.stdin() : readFileSync(file, "utf8"));
        io.stdout(values.drift ? driftReport(preview) : planComment(preview));
        return OK;
    } catch (error) {
        io.stderr(`clouddb-plan-comment: ${error instanceof Error ? error.message : String(error)}\n`);
        return MISUSED;
    }
}
