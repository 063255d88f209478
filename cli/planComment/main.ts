import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { version } from "../../provider/api/version.gen";
import { planComment } from "./comment";
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

Turns what \`pulumi preview --json\` prints, from FILE or standard input, into a short
Markdown comment for a pull request: what fails, what is deleted, replaced or
restarted, and then each API call in order.

  pulumi preview --json > preview.json; npx clouddb-plan-comment preview.json > comment.md

  --help     show this
  --version  show the version
`;

/** The command clouddb-plan-comment; answers its exit code. */
export function main(argv: readonly string[], io: CommandIo): number {
    try {
        const { values, positionals } = parseArgs({
            args: [...argv],
            options: { help: { type: "boolean" }, version: { type: "boolean" } },
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
        io.stdout(planComment(parsePreview(file === undefined ? io.stdin() : readFileSync(file, "utf8"))));
        return OK;
    } catch (error) {
        io.stderr(`clouddb-plan-comment: ${error instanceof Error ? error.message : String(error)}\n`);
        return MISUSED;
    }
}
