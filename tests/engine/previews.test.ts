import { CustomResource } from "@pulumi/pulumi";
import { Service, Vpc } from "../../sdk/nodejs";
import { failed, host, removeStacks, startStack, typeToken } from "../support/engine";

// What only the engine shows: which values a program knows in a preview, and the previews of resources that depend on
// others.

afterAll(removeStacks);

test("an absent output is known in a preview, and the resources that use it show no change", async () => {
    const stack = await startStack();
    const program = () => {
        const service = new Service("orders", { cpuMillis: 1000 });
        const seen: string[] = [];
        const usesAbsent = service.poolerHost.apply((host) => host ?? "no-pooler");
        const vpc = new Vpc("network", { name: usesAbsent, cidr: "10.0.0.0/16", regionCode: "us-east-1" });
        service.vpcHost.apply((host) => seen.push(host === undefined ? "undefined" : "something else"));
        return { pooler: service.poolerHost, vpcId: service.vpcId, network: vpc.name, seen };
    };
    await stack.up(program);
    expect(await stack.outputs()).toMatchObject({ network: "no-pooler" });

    const preview = await stack.preview();
    expect(preview.operations).toEqual({ orders: "same", network: "same" });
    expect(preview.output).not.toContain("[unknown]");
    const refreshed = await stack.refresh();
    expect(refreshed.operations).toEqual({ orders: "same", network: "same" });
    const afterRefresh = await stack.preview();
    expect(afterRefresh.output).not.toContain("[unknown]");
});

test("reading a resource that does not exist fails with its id and its project", async () => {
    const stack = await startStack();
    const program = () => {
        Service.get("orders", "nosuchone1");
    };
    const { output } = await failed(stack.preview(program));
    expect(output).toContain(
        `There is no service "nosuchone1" in project "${stack.emulator.projectId}". Correct the id, or the project`,
    );
});

test("the preview of a replaced service replaces its forks too", async () => {
    const stack = await startStack();
    const program = (regionCode: string) => () => {
        const { serviceId } = new Service("parent", { regionCode });
        new Service("copy", { fork: { serviceId, strategy: "NOW" } });
    };
    await stack.up(program("us-east-1"));
    const { operations, messages } = await stack.preview(program("eu-west-1"));
    expect(operations).toEqual({ parent: "replace", copy: "replace" });
    expect(messages.copy?.join()).toMatch(/is replaced \(fork.*and its data will be lost/);
});

test("an existingId without a value that a preview does not know fails instead of creating a database", async () => {
    const stack = await startStack();
    const program = () => {
        const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "eu-west-1" });
        const existingId = network.id.apply(() => undefined as unknown as string);
        new Service("orders", { existingId });
    };
    const preview = await stack.preview(program);
    expect(preview.messages.orders?.join()).toContain("adopt service (known after apply)");
    const { errors } = await failed(stack.up());
    expect(errors.join()).toContain('existingId "" has no value; correct the output that it is set to');
    expect(stack.calls()).toEqual(["createVpc"]);
});

(host === "native" ? test : test.skip)(
    "a null existingId that a preview does not know, as Go and YAML pass it, fails instead of creating a database",
    async () => {
        const stack = await startStack();
        // Not the class of this package, which replaces the value.
        class RawResource extends CustomResource {}
        const program = () => {
            const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "eu-west-1" });
            new RawResource(typeToken("Service"), "orders", { existingId: network.id.apply(() => null) });
        };
        const preview = await stack.preview(program);
        expect(preview.messages.orders?.join()).toContain("adopt service (known after apply)");
        const { errors } = await failed(stack.up());
        expect(errors.join()).toContain('existingId "" has no value; correct the output that it is set to');
        expect(stack.calls()).toEqual(["createVpc"]);
    },
);
