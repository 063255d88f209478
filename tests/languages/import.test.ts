import { delimiter } from "node:path";
import type { Emulator } from "../../emulator";
import { readOptions } from "../../provider/api/client";
import { clientOf } from "../support/existing";
import { removeStacks, startFastEmulator } from "../support/engine";
import { pathWith, Project, removeProjects } from "./language";

afterAll(async () => {
    removeProjects();
    await removeStacks();
});

const generator = pathWith("codegen")?.split(delimiter)[0];

/** The language, the program to replace, and its file. */
const programs = [
    { language: "nodejs", source: "tests/languages/typescript", file: "index.ts" },
    { language: "python", source: "examples/python", file: "__main__.py" },
] as const;

describe.each(programs)("pulumi import in $language", ({ language, source, file }) => {
    const path = language === "nodejs" ? process.env.PATH : pathWith(language);
    const test = generator === undefined || path === undefined ? it.skip : it;

    test("pulumi import of each kind generates a program that shows no change", async () => {
        const emulator = await startFastEmulator({ peerings: "immediate" });
        const resources = await existingResources(emulator);
        const project = await Project.create(source, language, path ?? "", emulator);
        project.write(file, "");
        project.write("import.json", JSON.stringify({ resources }));

        // The language hosts from the Go module proxy cannot generate programs, and the generator cannot run them.
        const importing = project.withPath(generator ?? "");
        await importing.pulumi("import", "--file", "import.json", "--yes", "--protect=false", "--out", file);

        emulator.clearJournal();
        await project.pulumi("preview", "--expect-no-changes");
        await project.up({ expectNoChanges: true });
        expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
    });
});

/** Creates a resource of each kind without Pulumi. Returns the entries of Pulumi's import file. */
async function existingResources(emulator: Emulator) {
    const client = clientOf(emulator);
    const { projectId } = emulator;
    const network = await client.createVpc(
        projectId,
        { name: "network", cidr: "10.0.0.0/20", region_code: "us-east-1" },
        readOptions,
    );
    const peering = await client.createPeering(
        projectId,
        network.id,
        { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b2c3d" },
        readOptions,
    );
    const service = await client.createService(
        projectId,
        { name: "orders", cpu_millis: "1000", memory_gbs: "4" },
        readOptions,
    );
    await until(() => emulator.snapshot().services[0]?.status === "READY");
    const set = await client.createReplicaSet(
        projectId,
        service.service_id,
        { name: "reports", nodes: 2, cpu_millis: 500, memory_gbs: 2 },
        readOptions,
    );
    await until(() => emulator.snapshot().services[0]?.read_replica_sets?.[0]?.status === "active");
    const peeringId = `${network.id}/${peering.id}`;
    return [
        { type: "clouddb:index:Vpc", name: "network", id: network.id },
        { type: "clouddb:index:Peering", name: "peering", id: peeringId },
        { type: "clouddb:index:PeeringActivation", name: "activation", id: peeringId },
        { type: "clouddb:index:Service", name: "orders", id: service.service_id },
        { type: "clouddb:index:ReadReplicaSet", name: "reports", id: `${service.service_id}/${set.id}` },
    ];
}

async function until(condition: () => boolean): Promise<void> {
    const limit = Date.now() + 60_000;
    while (!condition() && Date.now() < limit) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
