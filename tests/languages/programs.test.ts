import { startFastEmulator } from "../support/engine";
import { outputsOfExamples, Project, testWith } from "./language";

const all = process.env.CLOUDDB_EXAMPLES === "all";

for (const language of ["yaml", "python", "go", ...(all ? (["java"] as const) : [])] as const) {
    testWith(language)(
        `a program in ${language} creates a network, a database and read replicas, and then shows no change`,
        async () => {
            const project = await Project.create(language, await startFastEmulator());
            if (language === "java") {
                await project.pulumi("install");
            }
            await project.up();
            expect(await project.outputs()).toEqual(outputsOfExamples);
            await project.pulumi("preview", "--expect-no-changes");
            await project.up({ expectNoChanges: true });
        },
    );
}
