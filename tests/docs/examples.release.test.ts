import {
    chmodSync,
    cpSync,
    existsSync,
    lstatSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { blocksOf, commandsOf, shellBlocksOf } from "../support/documents";
import { newFolder } from "../support/folder";
import { testWithPostgres } from "../support/postgres";
import { seededService } from "../support/seed";
import {
    copyPackages,
    fromFolder,
    openOutside,
    startOutside,
    withPackages,
    type Outside,
    type TestProject,
} from "../support/project";

// Copies each example out of the repository, and runs the commands of its README there. npm installs the packed package.
// The type check of the repository includes the examples, so only the quickstart checks its types in each run.

/** The setup and the expected result of an example. */
interface Case {
    readonly emulator?: EmulatorOptions;
    /** Creates existing resources. Returns the values for the placeholders of the README. */
    readonly before?: (project: TestProject) => Promise<Record<string, string>>;
    /** Checks the result of the README's first commands. */
    readonly up: (emulator: Emulator, project: TestProject) => Promise<void> | void;
    /** Text that these commands print. */
    readonly output?: string | RegExp;
    /** Runs before the example is destroyed with the other commands of the README. */
    readonly beforeDestroy?: (project: TestProject) => Promise<void>;
    /** The number of services after the destroy. */
    readonly left?: number;
}

/** Node writes its warnings into this file. */
const warningsIn = (folder: string) => join(folder, "warnings.txt");
const expectNoWarningOfSsl = ({ folder }: TestProject) => {
    const file = warningsIn(folder);
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain("SSL");
};

/** Runs programs with `pulumi` as inline programs, because the Node.js host from the Go modules knows no resource hooks. */
function runInline({ env, environment, folder }: TestProject): void {
    const bin = join(folder, "..", "inline");
    const script = join(__dirname, "..", "support", "inlinePulumi.js");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "pulumi"), `#!/bin/sh\nexec "${process.execPath}" "${script}" "${bin}" "$@"\n`);
    chmodSync(join(bin, "pulumi"), 0o755);
    env({ PATH: `${bin}${delimiter}${environment().PATH ?? ""}` });
}

/** The documented commands before the databases of a production stack are deleted. */
const removeProtection = async ({ failing, shell }: TestProject) => {
    await failing("destroy", "--yes");
    await shell("pulumi config set clouddb:deletionProtection false\npulumi up");
};

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
        beforeDestroy: removeProtection,
    },
    "preview-database": {
        emulator: { postgres: true },
        before: async ({ emulator }) => ({ abcdefghij: await seededService(emulator) }),
        output: "orders: 2",
        up: ({ snapshot }, project) => {
            expect(snapshot().services).toHaveLength(2);
            expectNoWarningOfSsl(project);
            expect(snapshot().services[1]).toMatchObject({ name: "preview-pr-42", forked_from: {} });
        },
        left: 1,
    },
    application: {
        emulator: { postgres: true },
        output: "Applied 001-orders.sql, 002-quantity.sql.\n1 a chair",
        up: async ({ snapshot }, project) => {
            expect(snapshot().services).toHaveLength(1);
            expectNoWarningOfSsl(project);
            const [url = ""] = commandsOf("examples/application/README.md", "export DATABASE_URL=$(pulumi");
            const untrusted = await project.shell(`${url}\n! NODE_EXTRA_CA_CERTS= node migrate.js 2>&1`);
            expect(untrusted).toContain("NODE_EXTRA_CA_CERTS");
        },
    },
    "database-setup": {
        emulator: { postgres: true },
        before: (project) => {
            runInline(project);
            return Promise.resolve({});
        },
        // The first order, the new column, and the order in the copy.
        output: /MIGRATION 001_orders [^]*a chair' }[^]*MIGRATION 002_quantity [^]*a table', quantity: 1[^]*a copy', quantity: 1/,
        up: async (emulator, project) => {
            expect(emulator.snapshot().services).toMatchObject([{}, { forked_from: {} }]);
            expectNoWarningOfSsl(project);
            project.env({ NODE_EXTRA_CA_CERTS: emulator.certificate?.file ?? "" });
            const migration = join(project.folder, "migrations", "003_failing.sql");
            writeFileSync(migration, "SELECT 1 / 0;");
            await project.failing("up", "--yes", "--skip-preview");
            await project.failing("up", "--yes", "--skip-preview");
            rmSync(migration);

            const before = await project.outputs();
            const urn = "urn:pulumi:test::clouddb-database-setup::pulumi:index:Stash::application-password";
            await project.pulumi("up", "--yes", "--skip-preview", "--replace", urn);
            const after = await project.outputs();
            expect(after.applicationUrl).not.toBe(before.applicationUrl);
            project.env({ DATABASE_URL: String(after.applicationUrl) });
            await project.shell("node orders.js");
            project.env({ DATABASE_URL: String(before.applicationUrl) });
            await project.shell("! node orders.js");
        },
    },
    "fork-and-switch": {
        emulator: { postgres: true },
        // The first order, the check of the copy, the switch, the way back, and forward again.
        output: /orders: a chair\n[^]*orders: a chair\n[^]*: a chair, a table\n[^]*: a chair\n[^]*: a chair, a table\n/,
        up: ({ snapshot, changes }) => {
            expect(snapshot().services).toMatchObject([
                { name: expect.stringMatching(/^copy/) as string, forked_from: {} },
            ]);
            // The switch, the way back and the changes of the protection have sent nothing.
            expect(changes().map(({ operationId }) => operationId)).toEqual([
                "createService",
                "forkService",
                "deleteService",
            ]);
        },
        beforeDestroy: async ({ failing, shell }) => {
            await failing("destroy", "--yes");
            await shell("pulumi config set protectCopy false\npulumi up");
        },
    },
    adopt: {
        before: async ({ emulator }) => {
            const vpc = await emulator.createVpc({ name: "by hand", cidr: "10.0.0.0/16" });
            const service = await emulator.createService({ name: "by hand", cpu_millis: "1000", memory_gbs: "4" });
            return { "123456": vpc.id, abcdefghij: service.id };
        },
        up: async ({ snapshot }, { outputs }) => {
            expect(snapshot().services).toMatchObject([{ name: "by hand", vpc_endpoint: {} }]);
            expect(await outputs()).toMatchObject({ size: 1000, services: [expect.stringContaining("READY")] });
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
        beforeDestroy: removeProtection,
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

let outside: Outside;

beforeAll(async () => {
    outside = await startOutside(newFolder());
});

test("every example program in TypeScript has a test", () => {
    const folder = join(__dirname, "..", "..", "examples");
    const examples = readdirSync(folder).filter((name) =>
        ["package.json", "Pulumi.yaml"].every((file) => existsSync(join(folder, name, file))),
    );
    expect(Object.keys(cases).sort()).toEqual(examples.sort());
});

for (const [name, one] of Object.entries(cases)) {
    const declare = one.emulator?.postgres ? testWithPostgres : test;
    const title = `the example ${name} works in a copy outside of the repository, and a second update changes nothing`;
    declare(title, () => runExample(name, one));
}

test("the commands of the example fleet create a database for each tenant in an empty folder", async () => {
    const source = join(__dirname, "..", "..", "examples", "fleet", "fleet.ts");
    const { emulator, shell } = await openOutside(outside, "fleet", (folder) =>
        cpSync(source, join(folder, "fleet.ts")),
    );
    const [start = "", remove = ""] = shellBlocksOf("examples/fleet/README.md");
    const printed = await shell(withPackages(start));
    expect(printed.match(/^3 succeeded, 0 not started, 0 failed$/gm)).toHaveLength(2);
    expect(printed.match(/^ +1 create service/gm)?.length).toBeGreaterThanOrEqual(3);
    expect(emulator.snapshot().services).toHaveLength(3);
    await expect(shell("node fleet.js destroy")).rejects.toThrow();
    expect(emulator.snapshot().services).toHaveLength(3);
    await shell(remove);
    expect(emulator.snapshot().services).toEqual([]);
});

async function runExample(
    name: string,
    { emulator: options, before, output = "", up: check, beforeDestroy, left = 0 }: Case,
): Promise<void> {
    const readme = `examples/${name}/README.md`;
    const project = await openOutside(outside, name, fromFolder(`examples/${name}`), options);
    const { emulator, folder, pulumi, shell } = project;
    project.env({
        PULUMI_NODEJS_TRANSPILE_ONLY: String(name !== "quickstart"),
        NODE_REDIRECT_WARNINGS: warningsIn(folder),
    });
    const install = commandsOf(readme, "npm install");
    expect(install).toEqual(["npm install ../pulumi-clouddb-*.tgz"]);
    await shell([copyPackages(), ...install].join("\n"));
    expect(lstatSync(join(folder, "node_modules", "pulumi-clouddb")).isSymbolicLink()).toBe(false);

    const filledIn = (await before?.(project)) ?? {};
    const lines = blocksOf(readme, ["sh"])
        // inClone.test.ts runs the commands for a clone.
        .filter(({ text }) => !text.startsWith("npm run "))
        .map(({ text }) => Object.entries(filledIn).reduce((all, [from, to]) => all.replaceAll(from, to), text))
        // The emulator prints these lines.
        .map((text) =>
            text
                .replace("NODE_EXTRA_CA_CERTS=FILE", `NODE_EXTRA_CA_CERTS=${emulator.certificate?.file}`)
                .replace("CLOUDDB_ACCESS_TOKEN=TOKEN", `CLOUDDB_ACCESS_TOKEN=${emulator.token}`),
        );
    const begin = lines.filter((text) => !text.startsWith("pulumi destroy"));
    const end = lines.filter((text) => !begin.includes(text));
    expect(await shell(begin.join("\n"))).toMatch(output);
    await check(emulator, project);
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await beforeDestroy?.(project);
    await shell(end.length > 0 ? end.join("\n") : "pulumi destroy");
    expect(emulator.snapshot().services).toHaveLength(left);
}
