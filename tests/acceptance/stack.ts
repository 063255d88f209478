import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { automation } from "@pulumi/pulumi";
import { environmentOf, findPulumi, projectFileFor, secretsProvider, workDir, type Program } from "../support/engine";
import type { Target } from "./target";

export type AcceptanceStack = Awaited<ReturnType<typeof openStack>>;

/** A stack for the real engine, with its state in its own folder. */
export async function openStack(baseUrl: string, { token, projectId }: Target) {
    const folder = workDir();
    mkdirSync(join(folder, "state"));
    let current: Program = () => undefined;
    const envVars = await environmentOf(folder, { url: baseUrl, projectId, token });
    const stack = await automation.LocalWorkspace.createStack(
        {
            stackName: "acceptance",
            projectName: "acceptance",
            program: () => Promise.resolve(current() as Record<string, unknown> | undefined),
        },
        {
            workDir: folder,
            pulumiCommand: await findPulumi(),
            projectSettings: JSON.parse(projectFileFor("acceptance")) as automation.ProjectSettings,
            envVars,
            secretsProvider,
        },
    );
    await stack.setConfig("clouddb:deletionProtection", { value: "false" });
    // After each run the Automation API starts three more commands, for outputs and a summary that no test uses.
    stack.outputs = () => Promise.resolve({});
    stack.info = () => Promise.resolve(undefined);
    const preview = (program: Program, options: automation.PreviewOptions) => {
        current = program;
        return stack.preview({ refresh: true, ...options });
    };
    return {
        /** Runs an update. An error contains the output. */
        up: async (program: Program, options?: Pick<automation.UpOptions, "refresh">): Promise<void> => {
            current = program;
            await stack.up(options);
        },
        /** Fails if a preview after a refresh shows a change. */
        unchanged: async (program: Program): Promise<void> => {
            await preview(program, { expectNoChanges: true });
        },
        /** The number of resources that a preview after a refresh would update. */
        updates: async (program: Program): Promise<number> => (await preview(program, {})).changeSummary.update ?? 0,
        /** Runs `pulumi import`. Only the plugin supports it. */
        importResource: async (type: string, name: string, id: string): Promise<void> => {
            await stack.import({ resources: [{ type, name, id }], generateCode: false, protect: false });
        },
        destroy: async (): Promise<void> => {
            await stack.destroy();
        },
    };
}
