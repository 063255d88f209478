import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { Client } from "../../provider/api/client";
import { removeStacks } from "../support/engine";
import { fromFolder, startProject, type TestProject } from "../support/project";

/** What an example needs beside its own files, and what is to be seen of it. */
interface Case {
    readonly emulator?: EmulatorOptions;
    /** Makes what is there before, and sets the stack's config. */
    readonly before?: (project: TestProject) => Promise<void>;
    /** What is to be true once it is up. */
    readonly up: (emulator: Emulator, project: TestProject) => Promise<void> | void;
    /** What has to be done before it can be destroyed. */
    readonly leaving?: (project: TestProject) => Promise<void>;
    /** How many services are there after it is destroyed. */
    readonly left?: number;
}

/** More than any example takes. */
const limitMs = 180_000;
const settledMs = 2_000;

const up = ["up", "--yes", "--skip-preview"] as const;

const cases: Record<string, Case> = {
    quickstart: {
        up: ({ snapshot }) => {
            expect(snapshot().services).toHaveLength(1);
        },
    },
    production: {
        before: async ({ pulumi }) => {
            await pulumi("config", "set", "peerAccountId", "123456789012");
            await pulumi("config", "set", "peerVpcId", "vpc-0a1b2c3d4e5f67890");
        },
        up: ({ snapshot }) => {
            expect(snapshot().peerings).toMatchObject([{ status: "active" }]);
            expect(snapshot().services).toMatchObject([
                { status: "READY", ha_replicas: { replica_count: 2, sync_replica_count: 1 } },
            ]);
        },
        leaving: async ({ pulumi, failing }) => {
            expect((await failing("destroy", "--yes")).stdout).toContain("has deletionProtection");
            await pulumi("config", "set", "protect", "false");
            await pulumi(...up);
        },
    },
    "preview-database": {
        before: async ({ emulator, pulumi }) => {
            await pulumi("config", "set", "productionServiceId", await existingService(emulator));
        },
        up: ({ snapshot }) => {
            expect(snapshot().services).toHaveLength(2);
            expect(snapshot().services[1]).toMatchObject({ name: "preview-test", forked_from: {} });
        },
        left: 1,
    },
    adopt: {
        before: async ({ emulator, pulumi }) => {
            const input = { name: "by hand", cidr: "10.9.0.0/16", region_code: "us-east-1" };
            const { id } = await clientOf(emulator).createVpc(emulator.projectId, input);
            await pulumi("config", "set", "vpcId", id);
            await pulumi("config", "set", "cidr", input.cidr);
            await pulumi("config", "set", "regionCode", input.region_code);
            await pulumi("config", "set", "serviceId", await existingService(emulator));
        },
        up: async ({ snapshot }, { outputs }) => {
            expect(snapshot().services).toMatchObject([{ name: "by hand", vpc_endpoint: {} }]);
            expect(await outputs()).toMatchObject({ size: 1000, services: [expect.stringContaining("by hand READY")] });
        },
        left: 1,
    },
    "several-projects": {
        emulator: {
            projects: [{ id: "live000001", name: "live" }],
            callers: [{ token: "somebody", type: "oauth" }],
        },
        before: async ({ emulator, env, pulumi }) => {
            env({ CLOUDDB_ACCESS_TOKEN: "somebody" });
            const values = {
                "staging.projectId": emulator.projectId,
                "staging.cpuMillis": "500",
                "live.projectId": "live000001",
                "live.cpuMillis": "4000",
                "live.replicaCount": "1",
            };
            for (const [path, value] of Object.entries(values)) {
                await pulumi("config", "set", "--path", `stages.${path}`, value);
            }
        },
        up: ({ snapshot, projectId }) => {
            const homes = snapshot().services.map(({ project_id: home }) => home);
            expect(homes.sort()).toEqual([projectId, "live000001"].sort());
        },
    },
    "night-pause": {
        up: async ({ snapshot, clearJournal, journal }, { pulumi }) => {
            const statuses = () => snapshot().services.map(({ status }) => status);
            expect(statuses()).toEqual(["READY", "READY"]);
            clearJournal();
            await pulumi("config", "set", "mode", "night");
            await pulumi(...up);
            expect(statuses().sort()).toEqual(["PAUSED", "READY"]);
            const changes = journal().filter(({ method }) => method === "POST");
            expect(changes.map(({ operationId }) => operationId).sort()).toEqual(["resizeService", "stopService"]);
        },
    },
};

afterAll(removeStacks);

test("every example is run", () => {
    const folder = join(__dirname, "..", "..", "examples");
    const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
    expect(Object.keys(cases).sort()).toEqual(examples.sort());
});

test.each(Object.entries(cases))(
    "the example %s comes up, is the same when it is run again, and goes away",
    async (name, { emulator: options, before, up: check, leaving, left = 0 }) => {
        const project = await startProject(fromFolder(`examples/${name}`), options);
        const { emulator, pulumi } = project;
        await before?.(project);
        await pulumi(...up);
        await check(emulator, project);
        await pulumi(...up, "--expect-no-changes");
        await leaving?.(project);
        await pulumi("destroy", "--yes", "--skip-preview");
        expect(emulator.snapshot().services).toHaveLength(left);
    },
    limitMs,
);

function clientOf({ url, token }: Emulator): Client {
    return new Client({ baseUrl: url, credentials: { kind: "bearer", token } });
}

/** A service that somebody made by hand. */
async function existingService(emulator: Emulator): Promise<string> {
    const input = { name: "by hand", cpu_millis: "1000", memory_gbs: "4" };
    const { service_id: id } = await clientOf(emulator).createService(emulator.projectId, input);
    const until = Date.now() + settledMs;
    while (emulator.snapshot().services[0]?.status !== "READY" && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return id;
}
