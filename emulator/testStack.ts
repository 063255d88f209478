import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "./emulator";

/** A stack whose state is in a temporary folder. At the end of a block that declares it with `await using`, both are removed. */
export type TestStack = pulumi.automation.Stack & AsyncDisposable;

/**
 * Creates a stack of a Pulumi project whose provider uses an emulator. `up`, `preview` and `destroy` run the project's program
 * with the engine in PATH. The settings of the stack are those of its file in the project, if it exists. Test files that run at
 * the same time can use the same project.
 *
 * @param workDir the folder of the project
 * @param stackName the name of the stack, by default `test`
 */
export async function createTestStack(emulator: Emulator, workDir: string, stackName = "test"): Promise<TestStack> {
    // Only this function needs Pulumi. Jest supports no import() in the middle of a module.
    const { automation } = createRequire(__filename)("@pulumi/pulumi") as typeof pulumi;
    const { LocalWorkspace, Stack } = automation;
    const state = mkdtempSync(join(tmpdir(), "clouddb-stack-"));
    const remove = () => rmSync(state, { recursive: true, force: true });
    try {
        const settingsFile = `Pulumi.${stackName}.yaml`;
        const envVars = {
            // Pulumi takes the path of Windows in this form only: file://C:/Users/…
            PULUMI_BACKEND_URL: `file://${state.replaceAll("\\", "/")}`,
            PULUMI_CONFIG_PASSPHRASE: "test",
            PULUMI_OPTION_CONFIG_FILE: join(state, settingsFile),
            ...emulator.env,
        };
        const workspace = await LocalWorkspace.create({ workDir, envVars });
        const projectSettings = { name: (await workspace.projectSettings()).name, runtime: "nodejs" } as const;
        if (existsSync(join(workDir, settingsFile))) {
            copyFileSync(join(workDir, settingsFile), join(state, settingsFile));
        }
        // `pulumi stack init` writes the settings file of the project in which it runs.
        await Stack.create(stackName, await LocalWorkspace.create({ workDir: state, projectSettings, envVars }));
        const stack = await Stack.select(stackName, workspace);
        const dispose = () => {
            remove();
            return Promise.resolve();
        };
        // The history with secrets is the only command that knows no other file, and it writes to that of the project.
        const info: typeof stack.info = (showSecrets = false) => Stack.prototype.info.call(stack, showSecrets);
        return Object.assign(stack, { info, [Symbol.asyncDispose]: dispose });
    } catch (error) {
        remove();
        throw error;
    }
}
