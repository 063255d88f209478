import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type EngineRun, type Program, type TestStack } from "../support/engine";
import { deleteOrphan, follow as followCommand, lineOf, orphansOf, remainingServices } from "../support/remedies";

// The commands in the messages about protected services, run as a person would: only the engine shows what they do.

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
});
const service =
    (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}): Program =>
    () => {
        new Service(name, args, opts);
    };
/** As in other languages: only the provider refuses, with its message. */
const own = { protect: false };

const ids = () => remainingServices(stack);
const textOf = ({ errors }: EngineRun) => errors.join("\n");

/** Runs the command in this line of a message. */
const follow = (message: string, label: string) => followCommand(stack, lineOf(message, label), "pulumi state");

/** The aliases in the message. */
const aliasesIn = (message: string) => [/aliases: \['([^']+)'\]/.exec(message)?.[1] ?? ""];

test("after a rename without an alias, the message leads to the old database and the deletion of the new one", async () => {
    await stack.up(service("orders", {}, own));
    const before = ids();
    const message = textOf(await failed(stack.up(service("main", {}, own))));
    await follow(message, "Renamed or moved");
    await stack.up(service("main", {}, { ...own, aliases: aliasesIn(message) }));
    expect((await stack.state("main")).id).toBe(before[0]);
    await deleteOrphan(stack, await orphansOf(stack));
    expect(ids()).toEqual(before);
    await stack.up(undefined, { expectNoChanges: true });
});

test("after a rename without an alias and another run, the message leads to the old database", async () => {
    await stack.up(service("orders", {}, own));
    const before = ids();
    await failed(stack.up(service("main", {}, own)));
    const message = textOf(await failed(stack.up()));
    expect(lineOf(message, "If the new name has an entry")).toContain("first `pulumi state delete --force 'URN'`");
    await stack.pulumi("state", "delete", "--force", (await stack.state("main")).urn, "--yes");
    await stack.up(service("main", {}, { ...own, aliases: aliasesIn(message) }));
    expect((await stack.state("main")).id).toBe(before[0]);
});

// The replacement is forced, and the provider knows the state only when the new database exists.
describe("a protected service that waits for its deletion in the state, because a new one has taken its place", () => {
    /** Runs the command in the message in a terminal, and selects the entry of this resource in Pulumi's prompt. */
    const select = async (message: string, id: string) => {
        const [, command = ""] = /`(pulumi state delete --force '[^']+')`/.exec(message) ?? [];
        const terminal = spawn("script", ["-qec", `${command} --yes --stack test`, "/dev/null"], {
            cwd: stack.folder,
            // Pulumi asks other terminals for their colors, and waits for the answer.
            env: { ...stack.environment(), TERM: "screen" },
        });
        let shown = "";
        terminal.stdout.on("data", (text: Buffer) => {
            if (!shown.includes("select the one") && `${shown}${text.toString()}`.includes("select the one")) {
                terminal.stdin.write(`${id}\r`);
            }
            shown += text.toString();
        });
        const [code] = (await once(terminal, "close")) as [number];
        expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining("Resource deleted") as string });
    };
    const replaced = async () => {
        await stack.up(service("orders", {}, own));
        const [old = ""] = ids();
        const options = { replace: [(await stack.state("orders")).urn] };
        const message = textOf(await failed(stack.up(service("orders", { name: "new" }, own), options)));
        expect(message).toContain(`(${old}) is not deleted: its state has deletionProtection: true, and `);
        return { message, old, made: ids().find((id) => id !== old) ?? "" };
    };

    test("it is deleted by hand, and the new one stays", async () => {
        const { message, old, made } = await replaced();
        await select(message, old);
        await stack.up(undefined, { expectNoChanges: true });
        await deleteOrphan(stack, await orphansOf(stack));
        expect(ids()).toEqual([made]);
    });

    test("it is kept with its data, and the new one is deleted by hand", async () => {
        const { message, old, made } = await replaced();
        await select(message, made);
        const [, existingId = ""] = /existingId: "(\w+)" and a password/.exec(message) ?? [];
        await stack.up(service("orders", { existingId, password: "another-password" }, own));
        await deleteOrphan(stack, await orphansOf(stack));
        expect(ids()).toEqual([old]);
        expect(await stack.entries("orders")).toMatchObject([{ id: old }]);
    });
});

test("a refresh with a token that sees nothing keeps a protected service, and `pulumi state delete --force` removes one that is gone", async () => {
    await stack.up(service("orders"));
    const [id = ""] = ids();
    stack.emulator.deleteService(id);
    const message = textOf(await failed(stack.refresh()));
    expect(message).toContain("shows no service and no VPC at all to this token. The state is kept.");
    await follow(message, "If it was really deleted");
    await stack.up();
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
