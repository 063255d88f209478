import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, shellBlocksOf } from "../support/documents";
import { fromText, startProject } from "../support/project";

const page = "docs/restore.md";

test("after a restore, the program gets a place for the next one: no database changes, and the next emergency creates a copy", async () => {
    const [program = ""] = blocksOf(`${page}#the-program`, ["ts"]).map(({ text }) => text);
    const project = await startProject(fromText(program, "index.ts"));
    const { emulator, env, folder, pulumi, shell, outputs } = project;
    env({ ORDERS_PASSWORD: "a password of prod" });
    await pulumi("config", "set", "clouddb:deletionProtection", "true");
    const write = (text: string) => writeFileSync(join(folder, "index.ts"), text);
    const shells = shellBlocksOf(page);
    const [emergency = ""] = shells.filter((lines) => lines.includes("restore check"));
    const removed = shellBlocksOf(`${page}#a-second-restore`).at(-1) ?? "";
    expect(removed).toMatch(/^pulumi config rm restore$/m);
    const check = (time: string) =>
        shell(emergency.replace("pulumi stack select prod\n", "").replace("2026-01-31T12:00:00Z", time));
    const keys = ["cpuMillis 500", "replicaCount 0", "passwordVersion 1"].map((key) => `pulumi config set ${key}`);
    await shell([...keys, "pulumi up"].join("\n"));
    const { serviceId: first } = await outputs();
    const firstTime = new Date().toISOString();
    await check(firstTime);
    await shell("pulumi config set restore switch\npulumi up");
    // The two reviewed changes.
    const unprotected = program.replace(
        'regionCode: "us-east-1" }',
        'regionCode: "us-east-1", deletionProtection: false }',
    );
    expect(unprotected).not.toBe(program);
    write(unprotected);
    emulator.clearJournal();
    await shell("pulumi up");
    expect(emulator.changes()).toEqual([]);
    write(program);
    await shell("pulumi config set restore only\npulumi up");
    const [copy, ...others] = emulator.snapshot().services;
    expect(others).toEqual([]);

    const [change = ""] = blocksOf(page, ["diff"]).map(({ text }) => text);
    const linesOf = (sign: string) =>
        change
            .split("\n")
            .filter((line) => line.startsWith(sign))
            .map((line) => line.slice(1))
            .join("\n");
    expect(program).toContain(linesOf("-"));
    const next = program
        .replace('"orders-restored"', '"orders-2-restored"')
        .replace(linesOf("-"), linesOf("+"))
        .replace("wn3nlzt505", String(first))
        .replace("2026-01-31T12:00:00Z", firstTime);
    write(next);
    emulator.clearJournal();
    await shell(removed);
    expect(emulator.changes()).toEqual([]);
    expect(await outputs()).toMatchObject({ serviceId: copy?.service_id });

    await check(new Date().toISOString());
    expect(emulator.snapshot().services).toMatchObject([
        { service_id: copy?.service_id },
        { forked_from: { service_id: copy?.service_id } },
    ]);
    expect(readFileSync(join(folder, "Pulumi.test.yaml"), "utf8")).toContain(`restoreFrom: ${copy?.service_id}`);
});
