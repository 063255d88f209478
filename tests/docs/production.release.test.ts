import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { blocksOf, shellBlocksOf } from "../support/documents";
import { testWithPostgres } from "../support/postgres";
import { fromText, openProject } from "../support/project";
import { deployed, scriptOf } from "../support/workflows";

const page = "docs/production.md";

testWithPostgres(
    "a repository like that of docs/production.md previews, deploys, rotates, restores and deletes in order",
    async () => {
        const [program = ""] = blocksOf(`${page}#stacks`, ["ts"]).map(({ text }) => text);
        const [archive = "", restoreArchive = ""] = blocksOf("docs/deletion.md", ["ts"]).map(({ text }) => text);
        const statements = blocksOf(page, ["sql"]).map(({ text }) => text);
        expect(statements).toHaveLength(3);
        const [roles = "", open = "", close = ""] = statements;
        // tests/unit/docs runs the others.
        const [, configure = "", , , , ...others] = shellBlocksOf(page);
        expect(others).toEqual([]);
        // tests/languages/yamlStacks.test.ts runs those for YAML.
        const [nameArchive = "", dump = "", , ...inYaml] = shellBlocksOf("docs/deletion.md");
        expect(inYaml).toEqual([]);
        const [restoring = ""] = blocksOf("docs/restore.md#the-program", ["ts"]).map(({ text }) => text);
        const [check = "", switchOver = "", , , typed = "", drill = "", count = "", endDrill = "", , , ...more] =
            shellBlocksOf("docs/restore.md");
        expect(more).toEqual([]);
        const project = await openProject(fromText(program, "index.ts"), { postgres: true });
        const { emulator, env, folder, shell } = project;
        const { token } = emulator;
        const services = () => emulator.snapshot().services;
        const file = (name: string) => readFileSync(join(folder, name), "utf8");
        const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
        // The stack configuration has the address and the project, as in the workflows.
        env({ CLOUDDB_BASE_URL: "", CLOUDDB_PROJECT_ID: "", CLOUDDB_ACCESS_TOKEN: "" });
        env({ GITHUB_STEP_SUMMARY: "summary.md" });
        const configured = configure
            .replace("https://console.example.com/public/api/v1", emulator.url)
            .replace("abcdefghij", emulator.projectId);
        await shell(configured);
        const sizes = () => deployed().map(({ stack }) => /cpuMillis: "?(\d+)/.exec(file(`Pulumi.${stack}.yaml`))?.[1]);
        expect(sizes()).toEqual(["500", "500", "2000"]);
        // The lines after the loop, run again with another stack selected.
        await shell(`pulumi stack select dev\n${configured.split(/^done$/m)[1] ?? ""}`);
        expect(sizes()).toEqual(["500", "500", "2000"]);

        // The variable of the repository.
        env({ PASSWORD_VARIABLE: /passwordVariable: "(\w+)"/.exec(program)?.[1] ?? "" });
        /** A pull request and its merge. Returns the comment on the last stack. */
        const merge = async () => {
            for (const { stack } of deployed()) {
                env({ PULUMI_STACK: stack, CLOUDDB_ACCESS_TOKEN: "", PASSWORD: "" });
                await shell(scriptOf("preview.yml", "Preview"));
                env({ CLOUDDB_ACCESS_TOKEN: token, PASSWORD: `a password of ${stack}` });
                await shell(scriptOf("up.yml", "Up"));
            }
            return file("comment.md");
        };
        expect(await merge()).toContain("orders");
        expect(services()).toMatchObject([
            { ha_replicas: { replica_count: 0 }, metadata: { environment: "DEV" } },
            { ha_replicas: { replica_count: 0 }, metadata: { environment: "DEV" } },
            { ha_replicas: { replica_count: 1 }, metadata: { environment: "PROD" } },
        ]);
        const [, , prod] = services();
        const state = await shell("pulumi stack export --show-secrets");
        expect(deployed().filter(({ stack }) => state.includes(`a password of ${stack}`))).toEqual([]);

        await shell(scriptOf("drift.yml", "Preview"));
        expect(file("drift.md")).toBe("");

        const connect = async (user: string, password: string, id = prod?.service_id) => {
            const { host, port } = services().find((one) => one.service_id === id)?.endpoint ?? {};
            const ssl = { ca: emulator.certificate?.pem };
            const client = new Client({ host, port, user, password, database: "tsdb", ssl });
            await client.connect();
            return client;
        };
        const rowsOf = async (id: string | undefined) => {
            const client = await connect("shop_b", "a new password", id);
            const { rows } = await client.query("SELECT item FROM orders ORDER BY id");
            await client.end();
            return rows.length;
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
        await expect(connect("shop_a", "the first password")).rejects.toMatchObject({ code: "28000" });
        await newInstance.query("SELECT FROM orders");
        await newInstance.end();
        await administrator.end();

        // A person has neither the token nor the password of the pipeline, and types them.
        const byHand = (...lines: readonly string[]) =>
            shell(
                ["unset PULUMI_STACK CLOUDDB_ACCESS_TOKEN PASSWORD", typed, ...lines].join("\n"),
                `${token}\na password of prod\n`,
            );
        const unprotectedCopy = restoring.replace(/(?<=\.\.\.settings,)(?=\s+fork)/, "deletionProtection: false,");
        write("index.ts", restoring);
        await byHand("pulumi stack select prod", "pulumi preview --expect-no-changes");
        // psql trusts the certificates of the system, and the emulator has one of its own.
        write("ca.pem", emulator.certificate?.pem ?? "");
        const counts = count.replace("PGSSLROOTCERT=system", "PGSSLROOTCERT=ca.pem");
        expect(counts).not.toBe(count);
        // The time of the page has whole seconds: it is later than the last statement only in the next second.
        await sleep(1_000);
        const restoreTo = new Date().toISOString().replace(/\.\d+/, "");
        await byHand(drill);
        const copies = () => services().filter(({ forked_from: parent }) => parent?.service_id === prod?.service_id);
        expect(copies()).toMatchObject([
            { resources: prod?.resources.map(({ spec }) => ({ spec })), ha_replicas: { replica_count: 1 } },
        ]);
        const [copy] = copies();
        expect(await rowsOf(copy?.service_id)).toBe(3);
        await (await connect("tsdbadmin", "a password of prod", copy?.service_id)).end();
        expect(await byHand(counts)).toMatch(/^ +3$/m);
        // While another terminal resizes the copy.
        const [measure = "", resize = ""] = shellBlocksOf("docs/changes.md#measure-the-interruption");
        const loop = measure.replace("PGSSLROOTCERT=system", "PGSSLROOTCERT=ca.pem");
        await byHand(`(${loop}) > seen.txt &`, resize, "kill -- -$!");
        expect(file("seen.txt")).toMatch(/^\d{4}-\d\d-\d\d /m);
        expect(copies()).toMatchObject([{ resources: [{ spec: { cpu_millis: 4000 } }] }]);
        await byHand(endDrill);
        expect(services()).toHaveLength(3);

        await sleep(1_000);
        await byHand(check.replace("2026-01-31T12:00:00Z", restoreTo));
        const [restored] = copies();
        expect(await rowsOf(restored?.service_id)).toBe(3);
        expect(await byHand(counts)).toMatch(/^ +3$/m);
        const current = "pulumi stack output serviceId";
        expect(await byHand(current)).toContain(prod?.service_id);
        emulator.clearJournal();
        expect(await byHand(switchOver, current)).toContain(restored?.service_id);
        expect(emulator.changes()).toEqual([]);
        expect(await byHand("pulumi config set restore check", "pulumi up", current)).toContain(prod?.service_id);
        write("index.ts", unprotectedCopy);
        await byHand("pulumi up", `pulumi config set restoreTo ${new Date().toISOString()}`, "pulumi up");
        write("index.ts", restoring);
        await byHand("pulumi up");
        const [again] = copies();
        expect(copies()).toHaveLength(1);
        expect(again?.service_id).not.toBe(restored?.service_id);
        expect(await rowsOf(again?.service_id)).toBe(3);
        write("index.ts", unprotectedCopy);
        const keys = ["restore", "restoreFrom", "restoreTo"].map((key) => `pulumi config rm ${key}`);
        await byHand("pulumi up", ...keys, "pulumi up");
        write("index.ts", restoring);
        expect(services()).toHaveLength(3);

        await expect(byHand("pulumi destroy --stack prod")).rejects.toThrow();
        const dumped = byHand(dump.replace("PGSSLROOTCERT=system", "PGSSLROOTCERT=ca.pem"));
        const isOlder = (await dumped.catch(String)).includes("server version mismatch");
        // The page says so. The emulator can have a newer server than Debian has commands.
        await (isOlder
            ? expect(dumped).rejects.toThrow()
            : expect(dumped).resolves.toMatch(/TABLE DATA public orders/));
        await byHand(nameArchive);
        // The program of the page is in two files, because each block has its imports.
        write("archive.ts", archive);
        write(
            "index.ts",
            `import "./archive";\n${program.replace("sslMode:", "deletionProtection: false,\n  sslMode:")}`,
        );
        expect(await merge()).toMatch(/WARNING[^]*orders/);
        expect(copies()).toMatchObject([{ status: "PAUSED" }]);
        const [archived] = copies();
        write("index.ts", 'import "./archive";');
        expect(await merge()).toContain("deleted");
        expect(services().map(({ service_id: id }) => id)).toEqual([archived?.service_id]);
        // The stack ends protected, without a setting of its own.
        await byHand("pulumi preview --expect-no-changes");
        expect(file("Pulumi.prod.yaml")).not.toContain("deletionProtection");
        const { deployment } = JSON.parse(await shell("pulumi stack export --stack prod")) as {
            deployment: { resources: { type: string; inputs?: { deletionProtection?: boolean } }[] };
        };
        const entries = deployment.resources.filter(({ type }) => type.endsWith(":Service"));
        expect(entries).toMatchObject([{ inputs: { deletionProtection: true } }]);

        write("index.ts", restoreArchive);
        await byHand("pulumi up");
        const returned = services().find(({ forked_from: parent }) => parent?.service_id === archived?.service_id);
        expect(await rowsOf(returned?.service_id)).toBe(3);
        await expect(byHand("pulumi destroy")).rejects.toThrow();

        write("index.ts", restoreArchive.replace('"NOW" } });', '"NOW" }, deletionProtection: false });'));
        await byHand("pulumi up", "pulumi destroy");
        expect(services().map(({ service_id: id }) => id)).toEqual([archived?.service_id]);
        write(
            "index.ts",
            restoreArchive.replace("paused: false", `paused: false, existingId: "${archived?.service_id ?? ""}"`),
        );
        await byHand("pulumi up");
        expect(services()).toHaveLength(2);
    },
);
