import { join } from "node:path";
import { run } from "../support/command";
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
    // Node.js can need 15 seconds of a core for an error with a stack trace, or end never.
    const preview = "ulimit -t 10; timeout 120 pulumi preview --non-interactive || echo ended with $?";
    const output = await run("bash", ["-c", preview], { cwd, env });
    expect(output).toContain("No base URL is set");
    expect(output).toContain("ended with 1\n");
});
