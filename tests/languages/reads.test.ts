import { startFastEmulator } from "../support/engine";
import { Project, testWith } from "./language";
import { failureOf, programOf } from "./shop";

// A program that only reads a database, or imports one, while the platform changes it: the engine passes inputs for a read, also empty
// ones, and none for an import.

const reading = {
    yaml: (id: string) =>
        programOf(
            `  found:
    type: clouddb:Service
    get: { id: "${id}" }
`,
            "outputs:\n  status: ${found.status}\n",
        ),
    python: (id: string) => `
import pulumi
import pulumi_clouddb as clouddb

pulumi.export("status", clouddb.Service.get("found", "${id}").status)
`,
};

const importing = {
    yaml: (id: string) =>
        programOf(`  found:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2 }
    options: { import: "${id}" }
`),
    python: (id: string) => `
import pulumi
import pulumi_clouddb as clouddb

clouddb.Service("found", cpu_millis=500, memory_gbs=2, opts=pulumi.ResourceOptions(import_=${JSON.stringify(id)}))
`,
};

const files = { yaml: "Pulumi.yaml", python: "__main__.py" } as const;
/** An import that waited for rest took 40 s. */
const waitMs = 35_000;

describe.each(["yaml", "python"] as const)("a service that changes, in %s", (language) => {
    const test = testWith(language);

    test("is read by each preview and each run as it is, and one that does not exist fails", async () => {
        const emulator = await startFastEmulator();
        const { id } = await emulator.createService();
        const project = await Project.create(language, emulator, { program: reading[language](id) });
        for (const status of ["READY", "CONFIGURING", "UNSTABLE"] as const) {
            emulator.setServiceStatus(id, status);
            const beganAt = Date.now();
            await project.pulumi("preview");
            await project.pulumi("up", "--yes", "--skip-preview");
            expect((await project.outputs()).status).toBe(status);
            expect(Date.now() - beganAt).toBeLessThan(2 * waitMs);
        }
        expect(emulator.changes()).toEqual([]);
        emulator.deleteService(id);
        expect(await failureOf(project.pulumi("preview"))).toContain(`There is no service "${id}"`);
    });

    test("is not imported before it is at rest, which both forms of an import say at once", async () => {
        const emulator = await startFastEmulator();
        const { id } = await emulator.createService();
        const project = await Project.create(language, emulator, { program: importing[language](id) });
        emulator.setServiceStatus(id, "CONFIGURING");
        const command = ["import", "clouddb:index:Service", "other", id, "--yes", "--generate-code=false"] as const;
        for (const args of [["up", "--yes", "--skip-preview"], command]) {
            const beganAt = Date.now();
            expect(await failureOf(project.pulumi(...args))).toContain("was not imported: it is CONFIGURING");
            expect(Date.now() - beganAt).toBeLessThan(waitMs);
        }
        emulator.setServiceStatus(id, "READY");
        await project.pulumi("up", "--yes", "--skip-preview");
        project.write(files[language], importing[language](id));
        await project.pulumi("preview", "--expect-no-changes");
    });
});
