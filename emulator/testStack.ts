import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "./emulator";

/** A stack whose state is in a temporary folder. At the end of a block that declares it with `await using`, both are removed. */
export type TestStack = pulumi.automation.Stack & AsyncDisposable;

/**
 * Creates a stack of a Pulumi project whose provider uses an emulator. `up`, `preview` and `destroy` run the project's program
 * with the engine in PATH.
 *
 * @param workDir the folder of the project
 * @param stackName the name of the stack, by default `test`. Its settings file can exist
 */
export async function createTestStack(emulator: Emulator, workDir: string, stackName = "test"): Promise<TestStack> {
    // Only this function needs Pulumi. Jest supports no import() in the middle of a module.
    const { automation } = createRequire(__filename)("@pulumi/pulumi") as typeof pulumi;
    const state = mkdtempSync(join(tmpdir(), "clouddb-stack-"));
    const settings = join(workDir, `Pulumi.${stackName}.yaml`);
    const hasSettings = existsSync(settings);
    const remove = () => {
        rmSync(state, { recursive: true, force: true });
        if (!hasSettings) {
            rmSync(settings, { force: true });
        }
    };
    try {
        const envVars = { PULUMI_BACKEND_URL: `file://${state}`, PULUMI_CONFIG_PASSPHRASE: "test", ...emulator.env };
        const stack = await automation.LocalWorkspace.createStack({ stackName, workDir }, { envVars });
        const dispose = () => {
            remove();
            return Promise.resolve();
        };
        return Object.assign(stack, { [Symbol.asyncDispose]: dispose });
    } catch (error) {
        remove();
        throw error;
    }
}
