import * as pulumi from "@pulumi/pulumi";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
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
