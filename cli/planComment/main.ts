import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { version } from "../../provider/api/version.gen";
import { format } from "../../provider/base/message";
import { partsForUser } from "../usage";
import { driftReport, planComment } from "./comment";
import { assertRefreshed, parsePreview, PreviewFormatError } from "./preview";

/** The input and output of the command. */
export interface CommandIo {
    readonly stdin: () => Uint8Array;
    readonly stdout: (text: string) => void;
    readonly stderr: (text: string) => void;
}

const [exitOk, exitFailed] = [0, 2];

const help = `Usage: clouddb-plan-comment [options] [FILE]

Converts the output of \`pulumi preview --json\` to a short Markdown comment for a pull
request: first errors, then deletions, replacements and restarts, then each API call in
order. FILE is the output of the preview; the default, -, is standard input.

  pulumi preview --json > preview.json
  npx --no-install clouddb-plan-comment preview.json > comment.md

Options:
  --drift    print the text of an issue about drift, from the output of
             \`pulumi preview --refresh --run-program --json\`; print nothing
             if there is no drift
  --help     print this help
  --version  print the version

Exit codes:
  0  the comment was printed, even if the preview itself failed
  2  the command failed
`;

/** Runs the command clouddb-plan-comment and returns its exit code. */
export function main(argv: readonly string[], io: CommandIo): number {
    try {
        const { values, positionals } = parseArgs({
            args: [...argv],
            options: { drift: { type: "boolean" }, help: { type: "boolean" }, version: { type: "boolean" } },
            allowPositionals: true,
        });
        if (values.help || values.version) {
            io.stdout(values.help ? help : `${version}\n`);
            return exitOk;
        }
        const [file, ...more] = positionals;
        if (more.length > 0) {
            throw new PreviewFormatError("Only one FILE is allowed. See --help.");
        }
        const preview = parsePreview(file === undefined || file === "-" ? io.stdin() : readFileSync(file));
        if (values.drift) {
            assertRefreshed(preview);
        }
        io.stdout(values.drift ? driftReport(preview) : planComment(preview));
        return exitOk;
    } catch (error) {
        io.stderr(`clouddb-plan-comment: ${format(partsForUser(error))}\n`);
        return exitFailed;
    }
}
