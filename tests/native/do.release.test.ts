import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as runCommand } from "../support/command";
import { environmentOf, startFastEmulator, workDir } from "../support/engine";

const root = join(__dirname, "..", "..");

test("`pulumi do` creates, lists, reads, changes and deletes without a program, and calls functions", async () => {
    const emulator = await startFastEmulator();
    const cwd = workDir();
    mkdirSync(join(cwd, "state"));
    const env: NodeJS.ProcessEnv = { ...process.env, ...(await environmentOf(cwd, emulator)) };
    const run = (type: string, ...args: string[]) =>
        runCommand("pulumi", ["do", "--package", root, `clouddb:index:${type}`, ...args], { cwd, env });
    const parsed = async (...args: Parameters<typeof run>) => {
        const output = await run(...args);
        return JSON.parse(output.slice(output.search(/^[[{]/m))) as Record<string, unknown>;
    };
    const change = ["--stateless", "--yes"];

    await run("Vpc", "create", ...change, "--cidr", "10.0.0.0/21", "--region-code", "us-east-1", "--name", "shop");
    const [vpc] = emulator.snapshot().vpcs;
    const id = String(vpc?.id);
    expect(await parsed("Vpc", "list")).toEqual([{ id, name: "shop" }]);
    expect(await parsed("Peering", "list", "--vpc-id", id)).toEqual([]);
    expect(await parsed("Vpc", "read", id)).toMatchObject({ cidr: "10.0.0.0/21", name: "shop" });
    await run("Vpc", "patch", ...change, id, "--name", "store");
    expect(await parsed("getVpcs")).toMatchObject({ vpcs: [{ name: "store" }] });
    await run("Vpc", "delete", ...change, id);
    expect(emulator.snapshot().vpcs).toEqual([]);
    await expect(run("Vpc", "delete", ...change, id)).rejects.toThrow(`There is no VPC "${id}"`);

    // No stack manages it, so that only a file with the settings of the provider permits the deletion.
    await run("Service", "create", ...change, "--name", "orders");
    const service = emulator.snapshot().services[0]?.service_id ?? "";
    await expect(run("Service", "delete", ...change, service)).rejects.toThrow(
        /is not deleted: this command knows no state of it, [^]* with --provider-file FILE/,
    );
    writeFileSync(join(cwd, "permitting.pp"), "deletionProtection = false\n");
    await run("Service", "delete", ...change, "--provider-file", "permitting.pp", service);
    expect(emulator.snapshot().services).toEqual([]);

    const changes = emulator.journal().filter(({ method }) => method !== "GET");
    expect(changes.map(({ operationId }) => operationId)).toEqual([
        "createVpc",
        "renameVpc",
        "deleteVpc",
        "createService",
        "deleteService",
    ]);
});
