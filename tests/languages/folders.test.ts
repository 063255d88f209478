import { delimiter, join } from "node:path";
import { version } from "../../package.json";
import { run } from "../support/command";
import { startFastEmulator, workDir } from "../support/engine";
import { pack } from "../support/registry";
import { pathWith, Project, root } from "./language";

// The folders that contain the plugin: a clone, and the npm package.

const path = pathWith("yaml") ?? "";
const generator = pathWith("codegen")?.split(delimiter)[0];
const test = path === "" || generator === undefined ? it.skip : it;

const extracted = async (file: string, within = "."): Promise<string> => {
    const folder = workDir();
    await run("tar", ["-xzf", file, "-C", folder], { cwd: folder });
    return join(folder, within);
};

const folders: Readonly<Record<string, () => Promise<string>>> = {
    "a clone": () => Promise.resolve(root),
    "the npm package": () => extracted(pack(workDir()).file, "package"),
};

describe.each(Object.entries(folders))("the plugin in the folder of %s", (_, open) => {
    let folder: string;

    beforeAll(async () => {
        folder = await open();
    });

    test("get-schema prints the schema", async () => {
        const cwd = workDir();
        const env = { ...process.env, PATH: path, PULUMI_HOME: join(cwd, "home") };
        const schema = JSON.parse(await run("pulumi", ["package", "get-schema", folder], { cwd, env })) as object;
        expect(schema).toMatchObject({ name: "clouddb", version });
    });

    test("a program whose Pulumi.yaml names the folder runs after a plain pulumi install", async () => {
        const emulator = await startFastEmulator();
        const edit = (text: string) =>
            text
                .replace("./node_modules/pulumi-clouddb", folder)
                .replace("${PROJECT}", "shop")
                .replace("${DESCRIPTION}", "shop");
        const created = await Project.create("examples/templates/yaml", "yaml", path, emulator, { edit });
        const project = created.withPath(generator ?? "");
        await project.pulumi("install");
        await project.up();
        expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
        await project.up({ expectNoChanges: true });
        await project.pulumi("destroy", "--yes", "--skip-preview");
    });
});

test("pulumi package add generates a package for TypeScript that a program can import", async () => {
    const emulator = await startFastEmulator();
    const created = await Project.create("tests/languages/typescript", "nodejs", path, emulator);
    const project = created.withPath(generator ?? "");
    project.write("Pulumi.yaml", "name: clouddb-typescript\nruntime: nodejs\n");
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
