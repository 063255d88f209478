import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";
import { runShell } from "../support/project";

// Pulumi deletes what depends on nothing last, even if the API requires it first. The remedies in the error are carried out.

const regionCode = "us-east-1";
const inVpc = (): Service => {
    const { vpcId } = new Vpc("network", { cidr: "10.0.0.0/21", regionCode });
    return new Service("orders", { vpcId, regionCode });
};

/**
 * A stack with a read replica set that has a plain id, from which Pulumi does not know that it belongs to a service of the
 * program: the first destroy fails.
 */
async function startRefused(optionsOf: (service: Service) => CustomResourceOptions = () => ({})): Promise<TestStack> {
    const stack = await startStack();
    await stack.up(inVpc);
    const { id: serviceId } = await stack.state("orders");
    await stack.up(() => {
        new ReadReplicaSet("reports", { serviceId, cpuMillis: 500 }, optionsOf(inVpc()));
    });
    stack.calls();
    const { errors } = await failed(stack.destroy());
    // A read shows the obstacle, so the request is not repeated.
    expect(stack.calls()).toEqual(["deleteService"]);
    expect(errors).toEqual([expect.stringMatching(/"reports-/)]);
    return stack;
}

const expectEmpty = ({ emulator }: TestStack) => expect(emulator.snapshot()).toMatchObject({ services: [], vpcs: [] });

test("a read replica set with a plain id is deleted with --target, as the error says", async () => {
    const stack = await startRefused();
    await stack.destroy({ target: [(await stack.state("reports")).urn] });
    await stack.destroy();
    expectEmpty(stack);
});

/** What clouddb-orphans prints for a stack. */
async function orphansOf(stack: TestStack, ...options: readonly string[]): Promise<string> {
    const file = join(stack.folder, "stack.json");
    writeFileSync(file, await stack.exported());
    const command = join(__dirname, "..", "..", "dist", "cli", "clouddb-orphans.js");
    const env = stack.environment();
    const listed = promisify(execFile)(process.execPath, [command, ...options, file], { env });
    // The exit code says that there are some.
    return (await listed.catch((error: unknown) => error as { stdout: string })).stdout;
}

test("deletedWith: a read replica set that Pulumi has removed from the state only is adopted with the line of clouddb-orphans, or deleted by its command", async () => {
    const stack = await startRefused((service) => ({ deletedWith: service }));
    expect(await stack.entries("reports")).toEqual([]);

    const [, existingId = ""] = /existingId: "([^"]+)"/.exec(await orphansOf(stack)) ?? [];
    const adopted = await stack.up(() => {
        const { serviceId } = inVpc();
        new ReadReplicaSet("reports", { serviceId, cpuMillis: 500, existingId });
    });
    expect(adopted.operations).toMatchObject({ reports: "create" });
    expect(stack.calls()).toEqual([]);
    expect(await orphansOf(stack)).toContain("no unmanaged resources");

    await stack.pulumi("state", "delete", "--yes", (await stack.state("reports")).urn);
    const commands = (await orphansOf(stack, "--delete-commands")).match(/curl .*/g) ?? [];
    expect(commands).toHaveLength(1);
    await runShell(commands.join("\n"), stack.folder, stack.environment());
    await stack.destroy();
    expectEmpty(stack);
});
