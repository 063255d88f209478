import * as pulumi from "@pulumi/pulumi";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { read } from "../support/documents";
import { failed, startStack, type EngineRun, type Program, type TestStack } from "../support/engine";
import { follow as followCommand, lineOf, remainingServices } from "../support/remedies";

// The commands in the messages about protected services, run as a person would: only the engine shows what they do.

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
});
const ids = () => remainingServices(stack);
const textOf = ({ errors }: EngineRun) => errors.join("\n");

/** Runs the command in this line of a message. */
const follow = (message: string, label: string) => followCommand(stack, lineOf(message, label), "pulumi refresh");

test("a refresh with a token that sees nothing keeps a protected service, and `pulumi refresh --target` removes one that is gone, once the program permits it", async () => {
    await stack.up(() => {
        new Service("orders");
    });
    const [id = ""] = ids();
    stack.emulator.deleteService(id);
    const message = textOf(await failed(stack.refresh()));
    expect(message).toContain("at all to this token. The state is kept.");
    await stack.up(() => {
        new Service("orders", { deletionProtection: false });
    });
    await follow(message, "If it was really deleted");
    await stack.up(() => {
        new Service("orders");
    });
    expect(ids()).toHaveLength(1);
});

test("`destroy --skip-preview --run-program` without a protected service damages the state in Pulumi 3.250, and its backup restores it", async () => {
    const network: Program = () => {
        new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
    };
    const all: Program = () => {
        network();
        const { serviceId } = new Service("orders");
        new ReadReplicaSet("reports", { serviceId, cpuMillis: 500 });
    };
    await stack.up(all);
    const before = ids();
    await failed(stack.preview(network));
    const { errors } = await failed(stack.destroy({ runProgram: true }));
    expect(errors.join("\n")).toContain("snapshot integrity failure");
    expect(ids()).toEqual(before);
    await expect(stack.pulumi("state", "repair", "--yes")).rejects.toThrow();
    await expect(stack.pulumi("preview")).rejects.toThrow();

    const backups = join(stack.folder, "state", ".pulumi", "backups", "tests", "test");
    const [latest = ""] = readdirSync(backups)
        .filter((file) => file.endsWith(".json"))
        .sort()
        .reverse();
    copyFileSync(join(backups, latest), join(stack.folder, "state", ".pulumi", "stacks", "tests", "test.json"));
    await stack.up(all, { refresh: true });
    expect(ids()).toEqual(before);
    await stack.up(undefined, { expectNoChanges: true });
});

test("a password in the state that is not in force is replaced as troubleshooting advises, from each source", async () => {
    const passwordFile = join(stack.folder, "orders.txt");
    const program =
        ({ version = 1, invented = {} }: { version?: number; invented?: ServiceArgs }): Program =>
        () => {
            const declared = new Service("declared", { password: new pulumi.Config().requireSecret("password") });
            new Service("outside", { passwordFile, passwordVersion: version });
            const { connectionString } = new Service("invented", invented);
            return { declared: declared.connectionString, invented: connectionString };
        };
    await stack.setConfig("tests:password", "before-the-loss");
    writeFileSync(passwordFile, "in-the-file");
    await stack.up(program({}));
    const { emulator } = stack;
    const inForce = async (): Promise<boolean[]> => {
        const outputs = (await stack.outputs()) as Record<string, string>;
        return emulator.snapshot().services.map(({ name, service_id: id }) => {
            const { password } = name.startsWith("outside")
                ? { password: "in-the-file" }
                : new URL(outputs[name.slice(0, name.indexOf("-"))] ?? "");
            return emulator.passwordMatches(id, password);
        });
    };
    expect(await inForce()).toEqual([true, true, true]);
    for (const id of ids()) {
        const response = await fetch(`${emulator.url}/projects/${emulator.projectId}/services/${id}/updatePassword`, {
            method: "POST",
            headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
            body: JSON.stringify({ password: "of-a-lost-response" }),
        });
        expect(response.ok).toBe(true);
    }
    await stack.up(undefined, { expectNoChanges: true });
    expect(await inForce()).toEqual([false, false, false]);

    await followCommand(stack, read("docs/troubleshooting.md#a-password-is-not-in-force"), "pulumi config set");
    await stack.up(program({ version: 2, invented: { password: "declared-now" } }));
    expect(await inForce()).toEqual([true, true, true]);
    await stack.up(program({ version: 2 }));
    expect(await inForce()).toEqual([true, true, true]);
    await stack.up(undefined, { expectNoChanges: true });
});
