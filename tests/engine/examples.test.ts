import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { blocksOf } from "../support/documents";
import { removeStacks } from "../support/engine";
import { testWithPostgres } from "../support/postgres";
import { seededService, useDatabases } from "../support/seed";
import { clientOf, existingService } from "../support/existing";
import { fromFolder, openProject, type TestProject } from "../support/project";

/** What an example needs beside its own files, and what is to be seen of it. */
interface Case {
    readonly emulator?: EmulatorOptions;
    /** Makes what is there before; answers what stands in the place of what the README's reader has to fill in. */
    readonly before?: (project: TestProject) => Promise<Record<string, string>>;
    /** What is to be true once the README's first lines have been typed. */
    readonly up: (emulator: Emulator, project: TestProject) => Promise<void> | void;
    /** What these lines print. */
    readonly said?: string;
    /** What has to be done before it can be destroyed with the README's other lines, if it has any. */
    readonly leaving?: (project: TestProject) => Promise<void>;
    /** How many services are there after it is destroyed. */
    readonly left?: number;
}

/** More than any example takes. */
const limitMs = 180_000;

const cases: Record<string, Case> = {
    quickstart: {
        up: ({ snapshot }) => {
            expect(snapshot().services).toHaveLength(1);
        },
    },
    production: {
        up: ({ snapshot }) => {
            expect(snapshot().peerings).toMatchObject([{ status: "active" }]);
            expect(snapshot().services).toMatchObject([
                { status: "READY", ha_replicas: { replica_count: 2, sync_replica_count: 1 } },
            ]);
        },
        leaving: async ({ failing, shell }) => {
            expect((await failing("destroy", "--yes")).stdout).toContain("it is protected");
            await shell("pulumi config set protect false\npulumi up");
        },
    },
    "preview-database": {
        emulator: { postgres: true },
        before: async (project) => {
            useDatabases(project);
            return { abcdefghij: await seededService(project.emulator) };
        },
        said: "orders: 2",
        up: ({ snapshot }) => {
            expect(snapshot().services).toHaveLength(2);
            expect(snapshot().services[1]).toMatchObject({ name: "preview-pr-42", forked_from: {} });
        },
        left: 1,
    },
    application: {
        emulator: { postgres: true },
        before: (project) => {
            useDatabases(project);
            return Promise.resolve({});
        },
        said: "Applied 001-orders.sql, 002-quantity.sql.\n1 a chair",
        up: ({ snapshot }) => {
            expect(snapshot().services).toHaveLength(1);
        },
    },
    adopt: {
        before: async ({ emulator }) => {
            const input = { name: "by hand", cidr: "10.0.0.0/16", region_code: "us-east-1" };
            const { id } = await clientOf(emulator).createVpc(emulator.projectId, input);
            return { "123456": id, abcdefghij: await existingService(emulator) };
        },
        up: async ({ snapshot }, { outputs }) => {
            expect(snapshot().services).toMatchObject([{ name: "by hand", vpc_endpoint: {} }]);
            expect(await outputs()).toMatchObject({ size: 1000, services: [expect.stringContaining("by hand READY")] });
        },
        left: 1,
    },
    "several-projects": {
        emulator: {
            projectId: "staging001",
            projects: [{ id: "live000001", name: "live" }],
            callers: [{ token: "somebody", type: "oauth" }],
        },
        before: ({ env }) => {
            env({ CLOUDDB_ACCESS_TOKEN: "somebody" });
            return Promise.resolve({});
        },
        up: ({ snapshot, projectId }) => {
            const homes = snapshot().services.map(({ project_id: home }) => home);
            expect(homes.sort()).toEqual([projectId, "live000001"].sort());
        },
    },
    "night-pause": {
        up: ({ snapshot, journal }) => {
            expect(snapshot().services.map(({ status }) => status)).toEqual(["READY", "READY"]);
            const changes = journal().filter(({ method }) => method === "POST");
            const [night, day] = [changes.slice(2, 4), changes.slice(4)].map((calls) =>
                calls.map(({ operationId }) => operationId).sort(),
            );
            expect(night).toEqual(["resizeService", "stopService"]);
            expect(day).toEqual(["resizeService", "startService"]);
        },
    },
};

afterAll(removeStacks);

test("every example is run", () => {
    const folder = join(__dirname, "..", "..", "examples");
    const examples = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
    expect(Object.keys(cases).sort()).toEqual(examples.sort());
});

for (const [name, one] of Object.entries(cases)) {
    const declare = one.emulator?.postgres ? testWithPostgres : test;
    const sentence = `the example ${name} comes up as its README says, is the same when it is run again, and goes away`;
    declare(sentence, () => runExample(name, one), limitMs);
}

async function runExample(
    name: string,
    { emulator: options, before, said = "", up: check, leaving, left = 0 }: Case,
): Promise<void> {
    const project = await openProject(fromFolder(`examples/${name}`), options);
    const { emulator, pulumi, shell } = project;
    const filledIn = (await before?.(project)) ?? {};
    const [begin, ...end] = blocksOf(`examples/${name}/README.md`, ["sh"]).map(({ text }) =>
        Object.entries(filledIn).reduce((lines, [from, to]) => lines.replaceAll(from, to), text),
    );
    // What `npm run` does is another test's.
    const own = begin?.startsWith("pulumi ") === true;
    const printed = await shell(own ? begin : "pulumi stack init test\npulumi up");
    expect(printed).toContain(said);
    await check(emulator, project);
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await leaving?.(project);
    await shell(own && end.length > 0 ? end.join("\n") : "pulumi destroy");
    expect(emulator.snapshot().services).toHaveLength(left);
}
