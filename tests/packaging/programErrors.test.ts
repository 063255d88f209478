import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/command";
import { root } from "../support/documents";
import { oldestPulumi, writeProject } from "./folder";
import { newUser, projectOf } from "./project";

// tests/engine/programErrors.test.ts has the other errors, with one version of Node.js.

test.each([20, 22])("a function that fails ends the run with its message on Node.js %d", async (node) => {
    const { folder, env } = await newUser([`node@${node}`]);
    const cwd = join(folder, "project");
    writeProject(
        cwd,
        { dependencies: { "@pulumi/pulumi": oldestPulumi }, devDependencies: { typescript: "^5.9.3" } },
        {
            "Pulumi.yaml": projectOf("npm"),
            "index.ts":
                'import * as clouddb from "pulumi-clouddb";\nexport const n = clouddb.getServicesOutput().length;\n',
        },
    );
    await run("npm", ["install"], { cwd, env });
    await run("pulumi", ["stack", "init", "dev"], { cwd, env });
    const preview = async () =>
        run("bash", ["-c", "timeout 120 pulumi preview --non-interactive || echo ended with $?"], { cwd, env });
    expect(await preview()).toMatch(/No base URL is set[^]*ended with 1\n/);

    // As in a workspace, the packages are links. Node.js then never finishes an error with a stack trace within `apply`.
    const modules = join(cwd, "node_modules");
    for (const [name, target] of [
        ["@pulumi", join(root, "node_modules", "@pulumi")],
        ["pulumi-clouddb", root],
    ] as const) {
        rmSync(join(modules, name), { recursive: true });
        symlinkSync(target, join(modules, name));
    }
    const inApply = 'pulumi.output(1).apply(async () => { await undefined; new clouddb.Service("orders"); });';
    const imports = 'import * as pulumi from "@pulumi/pulumi";\nimport * as clouddb from "pulumi-clouddb";\n';
    writeFileSync(join(cwd, "index.ts"), imports + inApply);
    await run("pulumi", ["config", "set", "clouddb:projectID", "emulator01"], { cwd, env });
    expect(await preview()).toMatch(/clouddb:projectID is not a setting[^]*ended with 1\n/);
});
