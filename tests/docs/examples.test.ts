import { readOptions } from "../../provider/api/client";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { blocksOf } from "../support/documents";
import { removeStacks } from "../support/engine";
import { testWithPostgres } from "../support/postgres";
import { seededService, useDatabases } from "../support/seed";
import { clientOf, existingService } from "../support/existing";
import { fromFolder, openProject, type TestProject } from "../support/project";

/** The setup and the expected result of an example. */
interface Case {
    readonly emulator?: EmulatorOptions;
    /** Creates existing resources. Returns the values for the placeholders of the README. */
    readonly before?: (project: TestProject) => Promise<Record<string, string>>;
    /** Checks the result of the first commands of the README. */
    readonly up: (emulator: Emulator, project: TestProject) => Promise<void> | void;
    /** Text that these commands print. */
    readonly output?: string;
    /** Runs before the example is destroyed with the other commands of the README. */
    readonly beforeDestroy?: (project: TestProject) => Promise<void>;
    /** The number of services after the destroy. */
    readonly left?: number;
}

/** Node writes its warnings into this file. */
const warningsFile = "warnings.txt";

/** Longer than any example takes. */
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
        beforeDestroy: async ({ failing, shell }) => {
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
        output: "orders: 2",
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
            project.env({ NODE_REDIRECT_WARNINGS: join(project.folder, warningsFile) });
            return Promise.resolve({});
        },
        output: "Applied 001-orders.sql, 002-quantity.sql.\n1 a chair",
        up: ({ snapshot }, { folder }) => {
            expect(snapshot().services).toHaveLength(1);
            const file = join(folder, warningsFile);
            expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain("SSL");
        },
    },
    adopt: {
        before: async ({ emulator }) => {
            const input = { name: "by hand", cidr: "10.0.0.0/16", region_code: "us-east-1" };
            const { id } = await clientOf(emulator).createVpc(emulator.projectId, input, readOptions);
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

test("every example program in TypeScript has a test", () => {
    const folder = join(__dirname, "..", "..", "examples");
    const examples = readdirSync(folder).filter((name) =>
        ["package.json", "Pulumi.yaml"].every((file) => existsSync(join(folder, name, file))),
    );
    expect(Object.keys(cases).sort()).toEqual(examples.sort());
});

for (const [name, one] of Object.entries(cases)) {
    const declare = one.emulator?.postgres ? testWithPostgres : test;
    const title = `the example ${name} can be created and destroyed, and a second update changes nothing`;
    declare(title, () => runExample(name, one), limitMs);
}

async function runExample(
    name: string,
    { emulator: options, before, output = "", up: check, beforeDestroy, left = 0 }: Case,
): Promise<void> {
    const project = await openProject(fromFolder(`examples/${name}`), options);
    const { emulator, pulumi, shell } = project;
    const filledIn = (await before?.(project)) ?? {};
    const [begin, ...end] = blocksOf(`examples/${name}/README.md`, ["sh"]).map(({ text }) =>
        Object.entries(filledIn).reduce((lines, [from, to]) => lines.replaceAll(from, to), text),
    );
    // Another test runs the `npm run` commands.
    const own = begin?.startsWith("pulumi ") === true;
    const printed = await shell(own ? begin : "pulumi stack init test\npulumi up");
    expect(printed).toContain(output);
    await check(emulator, project);
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await beforeDestroy?.(project);
    await shell(own && end.length > 0 ? end.join("\n") : "pulumi destroy");
    expect(emulator.snapshot().services).toHaveLength(left);
}
