import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { installPackage } from "../support/project";
import { Project, root, testWith } from "./language";

// docs/installation-configuration.md#distribute-the-plugin

const test = testWith("yaml");

const component = (host: string) => `
import * as pulumi from "@pulumi/pulumi";
import { Service } from "${host}";

export interface DatabaseArgs {
    cpuMillis: pulumi.Input<number>;
}

export class Database extends pulumi.ComponentResource {
    public readonly connectionString: pulumi.Output<string>;

    constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
        super("shop:index:Database", name, {}, opts);
        this.connectionString = new Service(name, { cpuMillis: args.cpuMillis }, { parent: this }).connectionString;
        this.registerOutputs({ connectionString: this.connectionString });
    }
}
`;

/**
 * A component package in its own folder, with its own packages. Pulumi's language host for Node.js runs it with the command
 * of this executable; the host that Go can build cannot run plugins.
 */
function newPackage(host: string): string {
    const above = newFolder();
    const folder = join(above, "shop");
    mkdirSync(folder);
    installPackage(folder);
    const executable = `#!/bin/sh\nexec node ${folder}/node_modules/@pulumi/pulumi/cmd/run-plugin ${folder} "$@"\n`;
    const files = {
        "package.json": '{ "name": "shop", "version": "1.0.0", "main": "index.ts" }',
        "tsconfig.json": '{ "compilerOptions": { "strict": true, "skipLibCheck": true, "types": [] } }',
        "index.ts": component(host),
        "pulumi-resource-shop": executable,
    };
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
    }
    chmodSync(join(folder, "pulumi-resource-shop"), 0o755);
    return folder;
}

/** A program in YAML that uses the component package, and has installed only the plugin. */
async function openConsumer(host: string) {
    const emulator = await startFastEmulator();
    const program = `name: consumer
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
    - { name: shop, path: ${newPackage(host)} }
resources:
  orders:
    type: shop:Database
    properties: { cpuMillis: 500 }
outputs:
  url: \${orders.connectionString}
`;
    return { emulator, project: await Project.create("yaml", emulator, { program }) };
}

test.each(["pulumi-clouddb/native", "pulumi-clouddb"])(
    "a component package in TypeScript with %s works in a program in YAML, with the dynamic provider if the program has the package",
    async (host) => {
        const { emulator, project } = await openConsumer(host);
        if (host === "pulumi-clouddb") {
            const failure = await project.up().catch(String);
            expect(failure).toContain("pulumi-clouddb");
            expect(failure).not.toMatch(/^\s+at\s/m);
            expect(emulator.snapshot().services).toEqual([]);
            const link = `ln -s ${root} node_modules/pulumi-clouddb; ln -s ${root}/node_modules/@pulumi node_modules`;
            await project.shell(`mkdir node_modules; ${link}`);
        }
        await project.up();
        expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
        const url = expect.stringMatching(/^postgres:\/\/tsdbadmin:.+@/) as string;
        expect(await project.outputs()).toEqual({ url });
        await project.up({ expectNoChanges: true });
        await project.pulumi("destroy", "--yes", "--skip-preview");
        expect(emulator.snapshot().services).toEqual([]);
    },
);
