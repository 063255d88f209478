import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorOptions } from "../../../emulator";
import type { RecordedCall } from "../../model/engine/calls";
import { quickNode, startStack } from "../engine";

/** A stack whose engine records its calls to the provider. `take` returns those since its last call, with the results of their diffs. */
export async function startRecorded(options: EmulatorOptions) {
    const stack = await startStack(options, join(__dirname, "plugin"));
    const file = join(stack.folder, "calls.jsonl");
    const preload = `--require ${JSON.stringify(join(__dirname, "preload.js"))}`;
    stack.env({ CLOUDDB_RECORD: file, NODE_OPTIONS: `${quickNode} ${preload}` });
    const take = () => {
        const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
        rmSync(file, { force: true });
        return lines
            .filter(Boolean)
            .map((line) => JSON.parse(line) as RecordedCall & { replaces?: boolean; first?: boolean });
    };
    return { stack, take };
}
