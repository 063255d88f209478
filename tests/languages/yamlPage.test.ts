import { blocksOf } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { Project } from "./language";
import { failureOf, programOf, test } from "./shop";

// docs/languages.md: absent outputs in YAML, and its section on YAML.

const inOneLine = (text: string) => text.replace(/\s+/g, " ");

const service = (name: string, properties = "") =>
    `  ${name}: { type: clouddb:Service, properties: { cpuMillis: 500, memoryGbs: 2${properties} } }\n`;

async function open(resources: string, others = "") {
    const emulator = await startFastEmulator();
    const project = await Project.create("yaml", emulator, { program: programOf(resources, others) });
    /** Replaces the program. */
    const write = (next: string, more = "") => project.write("Pulumi.yaml", programOf(next, more));
    return { emulator, project, write, preview: () => project.pulumi("preview").then(inOneLine) };
}

test("an absent output is an absent input, <nil> in a text, and fails in `up` if a member of it is read", async () => {
    const resources = service("first") + service("second", ", vpcId: '${first.vpcId}'");
    const { project, write } = await open(resources, 'outputs:\n  text: "host=${second.vpcHost}"\n');
    await project.up();
    expect(await project.outputs()).toEqual({ text: "host=<nil>" });
    await project.up({ expectNoChanges: true });

    await project.pulumi("destroy", "--yes", "--skip-preview");
    write(resources, "outputs:\n  source: ${first.forkedFrom.serviceId}\n");
    await project.pulumi("preview");
    expect(inOneLine(await failureOf(project.up()))).toContain("receiver must be a list or object, not nil");
});

test("a number in place of a text must be in quotes, and one that begins with 0 is octal", async () => {
    const { project, preview, write } = await open(service("orders", ", name: 007"));
    expect(inOneLine(await failureOf(preview()))).toContain("name 7 is a number; put it in quotes");
    await project.pulumi("config", "set", "number", "123456789012");
    write(service("orders", ", name: '${number}'"), "config:\n  number: { type: string }\n");
    expect(inOneLine(await failureOf(preview()))).toContain("name 123456789012 is a number; put it in quotes");
    write(service("orders").replace("cpuMillis: 500, memoryGbs: 2", "cpuMillis: 0500"));
    expect(await preview()).toContain("cpuMillis, read as 320, is not one of the documented sizes");
});

test("an empty entry of readReplicas is no set, and {} is one", async () => {
    const database = (entry: string) =>
        `  orders:\n    type: clouddb:ProductionDatabase\n    properties:\n      cpuMillis: 500\n      readReplicas:\n        reports:${entry}\n`;
    const { preview, write } = await open(database(""));
    expect(await preview()).not.toContain("ReadReplicaSet");
    write(database(" {}"));
    expect(await preview()).toContain("ReadReplicaSet");
});

test("a value of the configuration that is null leaves the property out, and an empty one is an error", async () => {
    const region = "config:\n  region: { type: string }\n";
    const { project, preview } = await open(service("orders", ", regionCode: '${region}'"), region);
    await project.pulumi("config", "set", "region", "");
    expect(inOneLine(await failureOf(preview()))).toContain("is empty; set a value or remove the property");
    await project.pulumi("config", "set", "region", "null");
    expect(await preview()).toContain("to create");
});

test("the addons of one service are accepted for another one, and a fork is not", async () => {
    const first = service("first", ", addons: [ai]");
    const { preview, write } = await open(first + service("second", ", addons: '${first.addons}'"));
    expect(await preview()).toContain("to create");
    write(first + service("second", ", fork: '${first.fork}'"));
    expect(inOneLine(await failureOf(preview()))).toContain("Cannot assign");
});

test("with `name` beside the type, a resource has another name in the program and the old one in the state", async () => {
    const { project, write } = await open(service("orders"));
    await project.up();
    write(service("main").replace("{ type:", "{ name: orders, type:"));
    await project.up({ expectNoChanges: true });
});

test("an output of another stack that was renamed plans to detach a service from its network", async () => {
    const network = "  network: { type: clouddb:Vpc, properties: { cidr: 10.0.0.0/21, regionCode: us-east-1 } }\n";
    const { project, preview, write } = await open(network, "outputs:\n  vpcId: ${network.vpcId}\n");
    await project.up();
    await project.pulumi("stack", "init", "other");
    const reading = (output: string) =>
        '  shared: { type: "pulumi:pulumi:StackReference", properties: { name: organization/protection/test } }\n' +
        service("orders", `, vpcId: '\${shared.outputs["${output}"]}'`);
    write(reading("vpcId"));
    await project.up();
    write(reading("networkId"));
    expect(await preview()).toContain("detach from VPC");
});

test("the program of examples/night-pause pauses in a run with the value of the workflow, and resumes without it", async () => {
    const [text = ""] = blocksOf("examples/night-pause/README.md", ["yaml"]).map((block) => block.text);
    const [config = "", resources = ""] = text.split("resources:\n");
    const { emulator, project } = await open(`${resources}\n`, config);
    await project.up();
    await project.pulumi("up", "--yes", "--skip-preview", "--config", "paused=true");
    expect(emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
    await project.pulumi("up", "--yes", "--skip-preview", "--config", "paused=false");
    expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
});

test("the program of docs/networks.md records that the peering is active when its value says so", async () => {
    const [text = ""] = blocksOf("docs/networks.md", ["yaml"]).map((block) => block.text);
    const [config = "", rest = ""] = text.split("resources:\n");
    const { emulator, project } = await open(`${rest}\n`, config);
    await project.up();
    const [peering] = emulator.snapshot().peerings;
    expect(await project.outputs()).toMatchObject({ provisionedId: peering?.provisioned_id });
    emulator.acceptPeering(peering?.id ?? "");
    await project.shell("pulumi config set waitFor active && pulumi up --yes --skip-preview");
    expect(await project.outputs()).toMatchObject({ peeringStatus: expect.stringMatching(/active/i) as string });
});
