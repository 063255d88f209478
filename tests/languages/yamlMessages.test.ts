import { join } from "node:path";
import { startFastEmulator } from "../support/engine";
import { pathWith, programs, Project, root } from "./language";
import { failureOf } from "./shop";

// What only YAML reads in another way, and what the settings of every language have in common.

const path = pathWith("yaml");
const test = path === undefined ? it.skip : it;

const projectFile = (resources: string, name = "messages") => `name: ${name}
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
resources:
${resources}`;

const service = (more = "") => `  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2${more} }
`;
const readers = `  readers:
    type: clouddb:ReadReplicaSet
    properties: { serviceId: "\${orders.serviceId}", cpuMillis: 500, memoryGbs: 2 }
`;

async function open(text: string) {
    const emulator = await startFastEmulator({
        projects: [{ id: "project002", name: "Other" }],
        callers: [{ token: "both", projects: ["emulator01", "project002"] }],
    });
    const edit = () => text;
    const env = { CLOUDDB_ACCESS_TOKEN: "both" };
    const project = await Project.create(programs.yaml.source, "yaml", path ?? "", emulator, { edit, env });
    return { emulator, project };
}

const network = "  net: { type: clouddb:Vpc, properties: { cidr: 10.0.0.0/16, regionCode: us-east-1 } }\n";

const inOneLine = (text: string) => text.replace(/\s+/g, " ");

test("an id that YAML reads as a number must be in quotes, and the message says so", async () => {
    const { project } = await open(projectFile(service(", projectId: 0123456789")));
    expect(inOneLine(await failureOf(project.pulumi("preview")))).toContain("is a number; put it in quotes");
    project.write("Pulumi.yaml", projectFile(service(', projectId: "project002"')));
    await project.pulumi("preview");
});

test("a project with the name of the package is told why its own setting is refused", async () => {
    const { project } = await open(projectFile(service(), "clouddb"));
    await project.pulumi("config", "set", "cpu", "1000");
    expect(inOneLine(await failureOf(project.pulumi("preview")))).toContain(
        "The project has the name of this package: read it with another namespace, or rename the project",
    );
    await project.pulumi("config", "rm", "clouddb:cpu");
    await project.pulumi("config", "set", "shop:cpu", "1000");
    await project.pulumi("preview");
});

test("a reference to a resource of another project is named in the preview", async () => {
    const { emulator, project } = await open(projectFile(service(", projectId: project002") + readers));
    expect(inOneLine(await project.pulumi("preview"))).toContain('set projectId: "project002"');
    expect(inOneLine(await failureOf(project.up()))).toContain('set projectId: "project002"');
    expect(emulator.changes()).toMatchObject([{ operationId: "createService" }]);
});

describe("docs/troubleshooting.md", () => {
    test("a module that prints to stdout stops the plugin", async () => {
        const { project } = await open(projectFile(service()));
        project.write("telemetry.cjs", 'console.log("telemetry started");');
        const preview = (options: string) => project.shell(`${options} pulumi preview --non-interactive`);
        const printing = "NODE_OPTIONS='--require ./telemetry.cjs'";
        expect(inOneLine(await failureOf(preview(printing)))).toContain("wrote an invalid port to stdout");
        await preview("NODE_OPTIONS=");
    });

    test("a lost state: one run adopts all resources with the ids of clouddb-orphans", async () => {
        const { emulator, project } = await open(projectFile(network + service() + readers));
        await project.up();
        await project.pulumi("stack", "rm", "--yes", "--force", "--preserve-config");
        await project.pulumi("stack", "init", "test");
        await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
        const orphans = join(root, "dist", "cli", "clouddb-orphans.js");
        // It fails if it lists resources.
        const listed = await failureOf(project.shell(`pulumi stack export | node ${orphans} -`));
        const [ofSet, ofService, ofNetwork] = ["ReadReplicaSet", "Service", "Vpc"].map(
            (type) => new RegExp(`^${type} .*(existingId: ".*")$`, "m").exec(listed)?.[1],
        );
        const adopting = projectFile(network + service(", password: another-password") + readers)
            .replace("cidr:", `${ofNetwork}, cidr:`)
            .replace("properties: { cpuMillis", `properties: { ${ofService}, cpuMillis`)
            .replace("properties: { serviceId", `properties: { ${ofSet}, serviceId`);
        project.write("Pulumi.yaml", adopting);
        emulator.clearJournal();
        await project.up();
        expect(emulator.journal().filter(({ operationId }) => operationId?.startsWith("create"))).toEqual([]);
        await project.pulumi("preview", "--expect-no-changes");
    });

    test("--target also needs what the resource newly depends on", async () => {
        const { project } = await open(projectFile(service() + readers));
        await project.up();
        const renamed = (service() + readers).replaceAll("orders", "bills");
        project.write("Pulumi.yaml", projectFile(service() + renamed));
        const urn = (type: string, name: string) => `urn:pulumi:test::messages::clouddb:index:${type}::${name}`;
        const target = ["preview", "--target", urn("ReadReplicaSet", "readers")];
        expect(inOneLine(await failureOf(project.pulumi(...target)))).toContain("not specified in --target list");
        await project.pulumi(...target, "--target", urn("Service", "bills"));
    });
});
