import { startFastEmulator } from "../support/engine";
import { Project, root, testWith } from "./language";

// The plugin in the folder of a clone. firstProject.test.ts uses the npm package.

testWith("codegen")("pulumi package add generates a package for TypeScript that a program can import", async () => {
    const emulator = await startFastEmulator();
    const project = (await Project.create("nodejs", emulator)).withGenerator();
    project.write("Pulumi.yaml", "name: tests\nruntime: nodejs\n");
    project.write(
        "package.json",
        JSON.stringify({ name: "shop", dependencies: { "@pulumi/pulumi": "*", typescript: "*", "@types/node": "*" } }),
    );
    project.write(
        "index.ts",
        [
            'import * as clouddb from "@pulumi-clouddb/native";',
            'const orders = new clouddb.Service("orders", { environment: "PROD", cpuMillis: 500 });',
            "export const connectionString = orders.connectionString;",
        ].join("\n"),
    );
    await project.pulumi("package", "add", root);
    await project.pulumi("install");
    await project.up();
    expect(emulator.snapshot().services).toMatchObject([{ metadata: { environment: "PROD" } }]);
    expect(await project.outputs()).toMatchObject({
        connectionString: expect.stringContaining("postgres://") as string,
    });
    await project.up({ expectNoChanges: true });
    await project.pulumi("destroy", "--yes", "--skip-preview");
});
