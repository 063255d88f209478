import { join } from "node:path";
import { startFastEmulator } from "../support/engine";
import { Project, root } from "./language";
import { failureOf, programOf, test } from "./shop";
import { pathWithoutNode } from "./withoutNode";

// What only YAML reads in another way, and what the settings of every language have in common.

const service = (more = "") => `  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2${more} }
`;
const readers = `  readers:
    type: clouddb:ReadReplicaSet
    properties: { serviceId: "\${orders.serviceId}", cpuMillis: 500, memoryGbs: 2 }
`;

async function open(resources: string, name = "protection") {
    const emulator = await startFastEmulator();
    const program = programOf(resources).replace("protection", name);
    return { emulator, project: await Project.create("yaml", emulator, { program }) };
}

const network = "  net: { type: clouddb:Vpc, properties: { cidr: 10.0.0.0/16, regionCode: us-east-1 } }\n";

const inOneLine = (text: string) => text.replace(/\s+/g, " ");

test("an id that YAML reads as a number must be in quotes, and the message says so", async () => {
    const { project } = await open(service(", projectId: 0123456789"));
    expect(inOneLine(await failureOf(project.pulumi("preview")))).toContain("is a number; put it in quotes");
    project.write("Pulumi.yaml", programOf(service(', projectId: "project002"')));
    await project.pulumi("preview");
});

test("a project with the name of the package is told why its own setting is refused", async () => {
    const { project } = await open(service(), "clouddb");
    await project.pulumi("config", "set", "cpu", "1000");
    expect(inOneLine(await failureOf(project.pulumi("preview")))).toContain(
        "The project has the name of this package: read it with another namespace, or rename the project",
    );
    await project.pulumi("config", "rm", "clouddb:cpu");
    await project.pulumi("config", "set", "shop:cpu", "1000");
    await project.pulumi("preview");
});

describe("docs/troubleshooting.md", () => {
    test("a plugin of the npm package needs Node.js in PATH", async () => {
        const { project } = await open(service());
        const message = await failureOf(project.shell(`PATH=${pathWithoutNode("yaml") ?? ""} pulumi preview`));
        expect(inOneLine(message)).toMatch(/exited prematurely.*node.*could not read plugin.*exit status 127/);
    });

    test("a block of settings is one setting of the program, and the provider finds none", async () => {
        const { project } = await open(service());
        const preview = () => project.shell("unset CLOUDDB_BASE_URL; pulumi preview --non-interactive");
        const settings = project.read("Pulumi.test.yaml");
        project.write("Pulumi.test.yaml", `${settings.trimEnd()}\n  clouddb:\n    baseUrl: http://127.0.0.1:1/v1\n`);
        expect(inOneLine(await failureOf(preview()))).toContain("No base URL is set.");
        project.write("Pulumi.test.yaml", `${settings.trimEnd()}\n  clouddb:baseUrl: http://127.0.0.1:1/v1\n`);
        await preview();
    });

    test("a module that prints to stdout stops the plugin", async () => {
        const { project } = await open(service());
        project.write("telemetry.cjs", 'console.log("telemetry started");');
        const preview = (options: string) => project.shell(`${options} pulumi preview --non-interactive`);
        const printing = "NODE_OPTIONS='--require ./telemetry.cjs'";
        expect(inOneLine(await failureOf(preview(printing)))).toContain("wrote an invalid port to stdout");
        await preview("NODE_OPTIONS=");
    });

    test("a lost state: one run adopts all resources with the ids of clouddb-orphans", async () => {
        const { emulator, project } = await open(network + service() + readers);
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
        const adopting = programOf(network + service(", password: another-password") + readers)
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
        const { project } = await open(service() + readers);
        await project.up();
        const renamed = (service() + readers).replaceAll("orders", "bills");
        project.write("Pulumi.yaml", programOf(service() + renamed));
        const urn = (type: string, name: string) => `urn:pulumi:test::protection::clouddb:index:${type}::${name}`;
        const target = ["preview", "--target", urn("ReadReplicaSet", "readers")];
        expect(inOneLine(await failureOf(project.pulumi(...target)))).toContain("not specified in --target list");
        await project.pulumi(...target, "--target", urn("Service", "bills"));
    });
});
