import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResource, type Output } from "@pulumi/pulumi";
import { resources, type ResourceType } from "../../provider/resources";
import * as sdk from "../../sdk/nodejs";
import { Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { declareAll } from "../support/cases/program";
import { clientOf } from "../support/existing";
import { newFolder } from "../support/folder";
import { failed, host, startStack, typeToken } from "../support/engine";

// What only the engine shows: which values a program knows in a preview, and the previews of resources that depend on
// others.

test("each output of an unchanged resource is known in a preview, and the resources that use it show no change", async () => {
    const stack = await startStack({ peerings: "immediate" });
    const path = { project_id: stack.emulator.projectId };
    const created = await clientOf(stack.emulator).call("createService", { path, body: { name: "existing" } }, {});
    const existingId = created.service_id;
    let unknownOutputs: string[] = [];
    const program = async () => {
        const made = declareAll(sdk);
        const orders = made.Service;
        const adopted = new Service("adopted", { existingId });
        const all = [...Object.entries(made), ["Service", adopted]] as [ResourceType, CustomResource][];
        const outputs = all.flatMap(([type, resource]) =>
            Object.keys(resources[type].outputs).map((name) => {
                const output = (resource as unknown as Record<string, Output<unknown>>)[name];
                return [`${type} ${name}`, output as unknown as { readonly isKnown: Promise<boolean> }] as const;
            }),
        );
        for (const source of [orders, adopted]) {
            const urls = [source.connectionString, source.poolerConnectionString, source.vpcConnectionString];
            const passwords = [source.currentPassword, ...urls].map((secret) =>
                secret.apply((it) => it ?? "no-password"),
            );
            passwords.forEach((password, index) => {
                new Service(`${source === orders ? "orders" : "adopted"}-${index}`, { password });
            });
        }
        const known = await Promise.all(outputs.map(async ([name, { isKnown }]) => ((await isKnown) ? [] : [name])));
        unknownOutputs = known.flat();
        return { exported: adopted };
    };
    await stack.up(program);
    const { operations } = await stack.preview();
    expect(unknownOutputs).toEqual([]);
    expect([...new Set(Object.values(operations))]).toEqual(["same"]);
    const { exported } = await stack.outputs();
    // Pulumi leaves out an output without a value.
    expect(exported).toMatchObject({
        username: "tsdbadmin",
        connectionString: expect.stringMatching(/^postgres:/) as string,
    });
});

test("an existingId without a value that a preview does not know fails instead of creating a database", async () => {
    const stack = await startStack();
    const program = () => {
        const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "eu-west-1" });
        if (host === "native") {
            // As Go and YAML pass it. The class of this package would replace null.
            class RawResource extends CustomResource {}
            new RawResource(typeToken("Service"), "orders", { existingId: network.id.apply(() => null) });
        } else {
            new Service("orders", { existingId: network.id.apply(() => undefined as unknown as string) });
        }
    };
    await stack.preview(program);
    const { errors } = await failed(stack.up());
    expect(errors.join()).toContain("existingId");
    expect(stack.calls()).toEqual(["createVpc"]);
});

test("if the keys of a list have moved, the preview shows each rename and the deletion", async () => {
    const stack = await startStack();
    const databases = (names: readonly string[]) => () => {
        names.forEach((name, index) => new Service(`db-${index}`, { name, deletionProtection: false }));
    };
    await stack.up(databases(["alpha", "beta", "gamma"]));
    const { operations, messages } = await stack.preview(databases(["beta", "gamma"]));
    expect(operations).toEqual({ "db-0": "update", "db-1": "update", "db-2": "delete" });
    expect(messages["db-0"]).toContainEqual(expect.stringMatching(/^1 rename .*alpha.* -> .*beta/));
    expect(messages["db-1"]).toContainEqual(expect.stringMatching(/^1 rename .*beta.* -> .*gamma/));
});

test("neither a list with an element that a preview does not know nor an unknown strategy of a fork fails the preview, for a creation or a change", async () => {
    const stack = await startStack();
    const program = (cidr: string) => () => {
        const network = new Vpc("network", { cidr, regionCode: "us-east-1" });
        const known = <T>(value: T) => network.vpcId.apply(() => value);
        const orders = new Service("orders", { addons: [known("time-series" as const)] });
        new Service("copy", { fork: { serviceId: orders.serviceId, strategy: known("NOW" as const) } });
    };
    expect((await stack.preview(program("10.0.0.0/16"))).operations).toEqual({
        network: "create",
        orders: "create",
        copy: "create",
    });
    await stack.up();
    // The id of a network that is replaced is unknown, too.
    const { operations } = await stack.preview(program("10.1.0.0/16"));
    expect(Object.keys(operations).sort()).toEqual(["copy", "network", "orders"]);
    expect((await stack.up()).operations).toMatchObject({ network: "replace" });
    expect(stack.emulator.snapshot().services).toHaveLength(2);
});

test("another path of a password file, as on a laptop and on a runner, is no change", async () => {
    const stack = await startStack();
    const folder = newFolder();
    const [onLaptop, onRunner] = [join(folder, "laptop.txt"), join(folder, "runner.txt")];
    const program = (passwordFile: string) => () => new Service("orders", { passwordFile, passwordVersion: 1 });
    writeFileSync(onLaptop, "a-password");
    await stack.up(program(onLaptop));
    stack.calls();
    for (const run of [stack.preview, stack.up]) {
        const { operations, messages } = await run(program(onRunner), { expectNoChanges: true });
        expect({ operations, messages }).toEqual({ operations: { orders: "same" }, messages: {} });
    }
    expect(stack.calls()).toEqual([]);
});

test("a fork whose program declares one part of its size has the size of the preview, of any parent", async () => {
    const stack = await startStack();
    const { emulator } = stack;
    const parents = {
        large: await emulator.createService({ name: "large", cpu_millis: "2000", memory_gbs: "8" }),
        shared: await emulator.createService({ name: "shared", cpu_millis: "shared", memory_gbs: "shared" }),
    };
    const sizes = { small: { cpuMillis: 500 }, medium: { memoryGbs: 4 }, same: {} };
    const program = () => {
        for (const [parent, { id: serviceId }] of Object.entries(parents)) {
            for (const [size, args] of Object.entries(sizes)) {
                new Service(`${parent}-${size}`, { ...args, fork: { serviceId, strategy: "NOW" } });
            }
        }
    };
    const { messages } = await stack.preview(program);
    const shown = Object.entries(messages).map(([name, lines]) => [name, /\d+m\/\d+GB/.exec(lines.join())?.[0]]);
    const [small, medium] = ["500m/2GB", "1000m/4GB"];
    expect(Object.fromEntries(shown)).toEqual({
        "large-small": small,
        "large-medium": medium,
        "large-same": undefined,
        "shared-small": small,
        "shared-medium": medium,
        "shared-same": undefined,
    });
    await stack.up();
    const made = emulator.snapshot().services.flatMap(({ name, forked_from: parent, resources }) => {
        const { cpu_millis: cpu, memory_gbs: memory } = resources[0]?.spec ?? {};
        return parent ? [[name.replace(/-\w+$/, ""), `${cpu ?? "shared"}m/${memory ?? "shared"}GB`]] : [];
    });
    expect(Object.fromEntries(made)).toEqual({
        "large-small": small,
        "large-medium": medium,
        "large-same": "2000m/8GB",
        "shared-small": small,
        "shared-medium": medium,
        "shared-same": expect.stringContaining("shared") as string,
    });
    expect(new Set(Object.values((await stack.up()).operations))).toEqual(new Set(["same"]));
});

test("with retainOnDelete, a refused replacement says that the new database would not have the data, and a permitted one that the old one is kept", async () => {
    const stack = await startStack();
    const program = (args: ServiceArgs) => () =>
        new Service("orders", { cpuMillis: 500, ...args }, { retainOnDelete: true });
    const other = { addons: ["ai" as const] };
    await stack.up(program({ deletionProtection: true }));
    const [before] = stack.emulator.snapshot().services;
    for (const run of [stack.preview, stack.up]) {
        const { errors } = await failed(run(program({ deletionProtection: true, ...other })));
        expect(errors.join()).toContain("would replace it (addons");
        expect(errors.join()).toContain("the new one would not have its data.");
        expect(errors.join()).not.toMatch(/lost|deleted/);
    }
    await stack.up(program({ deletionProtection: false }));
    const { messages } = await stack.preview(program({ deletionProtection: false, ...other }));
    expect(messages.orders?.join()).toContain("its data will be lost, unless retainOnDelete keeps it");
    await stack.up();
    expect(stack.emulator.snapshot().services.map(({ service_id: id }) => id)).toEqual([
        before?.service_id,
        (await stack.state("orders")).id,
    ]);
});
