import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { blocksOf, read, shellBlocksOf } from "../support/documents";
import { testWithPostgres } from "../support/postgres";
import { fromText, openProject } from "../support/project";
import { deployed, scriptOf } from "../support/workflows";

const page = "docs/production.md";

testWithPostgres(
    "a repository like that of docs/production.md previews, deploys, rotates, restores and deletes in order",
    async () => {
        const programs = blocksOf(page, ["ts"]).map(({ text }) => text);
        expect(programs).toHaveLength(3);
        const [program = "", archive = "", restoreArchive = ""] = programs;
        const statements = blocksOf(page, ["sql"]).map(({ text }) => text);
        expect(statements).toHaveLength(3);
        const [roles = "", open = "", close = ""] = statements;
        const [configure = "", restore = "", endDrill = "", first = "", second = "", ...others] = shellBlocksOf(page);
        expect(others).toEqual([]);
        const project = await openProject(fromText(program, "index.ts"), { postgres: true });
        const { emulator, env, folder, shell } = project;
        const { token } = emulator;
        const services = () => emulator.snapshot().services;
        const file = (name: string) => readFileSync(join(folder, name), "utf8");
        // The stack configuration has the address and the project, as in the workflows.
        env({
            CLOUDDB_BASE_URL: "",
            CLOUDDB_PROJECT_ID: "",
            CLOUDDB_ACCESS_TOKEN: "",
        });
        env({ GITHUB_STEP_SUMMARY: "summary.md" });
        await shell(
            configure
                .replace("https://console.example.com/public/api/v1", emulator.url)
                .replace("abcdefghij", emulator.projectId),
        );

        const stacks = deployed().map(({ stack }) => stack);
        for (const stack of stacks) {
            env({ PULUMI_STACK: stack, CLOUDDB_ACCESS_TOKEN: "", ORDERS_PASSWORD: "" });
            await shell(scriptOf("preview.yml", "Preview"));
            expect(file("comment.md")).toContain("1 created");
            env({ CLOUDDB_ACCESS_TOKEN: token, ORDERS_PASSWORD: `a password of ${stack}` });
            await shell(scriptOf("up.yml", "Up"));
        }
        expect(services()).toMatchObject([
            { ha_replicas: { replica_count: 0 }, metadata: { environment: "DEV" } },
            { ha_replicas: { replica_count: 0 }, metadata: { environment: "DEV" } },
            { ha_replicas: { replica_count: 1 }, metadata: { environment: "PROD" } },
        ]);
        const [, , prod] = services();
        const state = await shell("pulumi stack export --show-secrets");
        expect(state).not.toContain("a password of");

        await shell(scriptOf("drift.yml", "Preview"));
        expect(file("drift.md")).toBe("");

        const connect = async (user: string, password: string, id = prod?.service_id) => {
            const { host, port } = services().find((one) => one.service_id === id)?.endpoint ?? {};
            const ssl = { ca: emulator.certificate?.pem };
            const client = new Client({ host, port, user, password, database: "tsdb", ssl });
            await client.connect();
            return client;
        };
        const administrator = await connect("tsdbadmin", "a password of prod");
        await administrator.query(roles);
        await administrator.query("ALTER ROLE shop_a LOGIN PASSWORD 'the first password'");
        const oldInstance = await connect("shop_a", "the first password");
        await oldInstance.query("INSERT INTO orders (item) VALUES ('a chair')");
        await administrator.query(open);
        const newInstance = await connect("shop_b", "a new password");
        await newInstance.query("INSERT INTO orders (item) VALUES ('a table')");
        await oldInstance.query("INSERT INTO orders (item) VALUES ('a lamp')");
        await expect(administrator.query(close.split("\n")[0] ?? "")).resolves.toMatchObject({
            rows: [{ count: "1" }],
        });
        await oldInstance.end();
        await administrator.query(close);
        await expect(connect("shop_a", "the first password")).rejects.toThrow("not permitted to log in");
        await newInstance.query("SELECT FROM orders");
        await newInstance.end();
        await administrator.end();

        // The time of the page has whole seconds: it is later than the last statement only in the next second.
        await sleep(1_000);
        const byHand = (lines: string) => shell(`unset PULUMI_STACK\n${lines}`);
        await byHand(restore);
        const copy = services().find(({ forked_from: parent }) => parent !== undefined);
        expect(copy).toMatchObject({
            resources: prod?.resources.map(({ spec }) => ({ spec })),
            ha_replicas: { replica_count: 1 },
        });
        const restored = await connect("shop_b", "a new password", copy?.service_id);
        expect((await restored.query("SELECT item FROM orders ORDER BY id")).rows).toHaveLength(3);
        await restored.end();
        await byHand(endDrill);
        expect(services()).toHaveLength(3);

        await expect(shell("pulumi destroy --stack prod")).rejects.toThrow("it is protected");
        // The program of the page without its last block is in two files, because each has its imports.
        writeFileSync(join(folder, "archive.ts"), archive);
        writeFileSync(join(folder, "index.ts"), `import "./archive";\n${program}`);
        await byHand(first);
        const archived = services().find(({ forked_from: parent }) => parent?.service_id === prod?.service_id);
        expect(archived).toMatchObject({ status: "PAUSED" });
        writeFileSync(join(folder, "index.ts"), 'import "./archive";');
        await byHand(second);
        expect(services().map(({ service_id: id }) => id)).not.toContain(prod?.service_id);
        await byHand("pulumi preview --expect-no-changes");

        writeFileSync(join(folder, "index.ts"), restoreArchive);
        await byHand("pulumi up");
        const again = services().find(({ forked_from: parent }) => parent?.service_id === archived?.service_id);
        const returned = await connect("shop_b", "a new password", again?.service_id);
        expect((await returned.query("SELECT item FROM orders ORDER BY id")).rows).toHaveLength(3);
        await returned.end();

        await byHand("pulumi destroy");
        expect(services().map(({ service_id: id }) => id)).toEqual(expect.arrayContaining([archived?.service_id]));
        writeFileSync(
            join(folder, "index.ts"),
            restoreArchive.replace("paused: false", `paused: false, existingId: "${archived?.service_id ?? ""}"`),
        );
        await byHand("pulumi up");
        expect(services().filter(({ forked_from: parent }) => parent !== undefined)).toHaveLength(2);

        writeFileSync(join(folder, "index.ts"), program);
        await shell("pulumi destroy --stack dev");
        expect(services()).toHaveLength(3);
    },
);

test("docs/production.md passes the variable of its program to the step of up.yml", () => {
    const [variable = ""] = /passwordVariable: "(\w+)"/.exec(read(page))?.slice(1) ?? [];
    expect(blocksOf(page, ["yaml"]).map(({ text }) => text)).toEqual([
        `env:\n  ${variable}: \${{ secrets.${variable} }}`,
    ]);
});
