import { ErrorHook, type CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, PeeringActivation, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: what it stores after a failure, and which call of the next run resumes. Unit tests have the
// other failures.

describe("failed steps", () => {
    let stack: TestStack;

    const program = (args: ServiceArgs) => () => {
        new Service("orders", { name: "orders", password: "first-password", ...args });
    };
    const changed: ServiceArgs = {
        password: "second-password",
        cpuMillis: 1000,
        memoryGbs: 4,
        replicaCount: 1,
        connectionPooler: true,
        environment: "PROD",
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program({}));
        stack.calls();
    });

    test("the state contains the steps before a failed step", async () => {
        stack.emulator.addFaults([{ operation: "setHA", effect: { kind: "answer", status: 400 } }]);
        const { errors, output } = await failed(stack.up(program(changed)));

        expect(errors).toEqual([
            expect.stringMatching(/^Service "orders" \(\w+\) was not updated: 400[^]*\nDetails: setHA, POST /),
        ]);
        expect(output).not.toMatch(/^ +at |second-password/m);
        expect(stack.calls()).toEqual(["updatePassword", "resizeService", "setHA"]);
        const { outputs } = await stack.state("orders");
        expect(outputs).toMatchObject({
            cpuMillis: 1000,
            replicaCount: 0,
            connectionPooler: false,
            environment: "DEV",
        });
    });

    test("the preview after a failed step shows only the remaining steps", async () => {
        const { messages } = await stack.preview();

        expect(messages.orders?.slice(1)).toEqual([
            "1 HA replicas none -> 1 async, takes minutes",
            "2 connection pooler on",
            "3 environment DEV -> PROD",
        ]);
    });

    test("the run after a failed step sends only the remaining steps", async () => {
        await stack.up();

        expect(stack.calls()).toEqual(["setHA", "enablePooler", "setEnvironment"]);
        const [service] = stack.emulator.snapshot().services;
        expect(service).toMatchObject({ ha_replicas: { replica_count: 1 }, metadata: { environment: "PROD" } });
        expect(stack.emulator.passwordMatches(service?.service_id ?? "", "second-password")).toBe(true);
    });
});

describe("creations that time out", () => {
    test("a creation that times out keeps the service in the state, and the next run resumes it", async () => {
        const stack = await startStack({ durations: { create: 250_000 } });
        const program = (create: string) => () => {
            const args = { name: "orders", connectionPooler: true };
            const { initialPassword } = new Service("orders", args, { customTimeouts: { create } });
            return { initialPassword };
        };
        const { errors } = await failed(stack.up(program("2s")));

        expect(errors).toEqual([
            expect.stringMatching(
                /^Service "orders" \(\w+\) timed out after [12](\.\d)? s: CONFIGURING for .*\nResume: repeat the command; nothing was rolled back\nMore time: increase customTimeouts.create/,
            ),
        ]);
        const { id } = await stack.state("orders");
        expect(id).toBe(stack.emulator.snapshot().services[0]?.service_id);

        await stack.up(program("1m"));
        expect(stack.calls()).toEqual(["createService", "enablePooler"]);
        expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: id, status: "READY" }]);
        const { initialPassword } = (await stack.outputs()) as { initialPassword: string };
        expect(stack.emulator.passwordMatches(id, initialPassword)).toBe(true);
    });
});

test("an onError hook that repeats a creation creates no second database, and the error names the first one", async () => {
    const stack = await startStack();
    stack.emulator.addFaults([{ operation: "enablePooler", effect: { kind: "answer", status: 400 } }]);
    const failures: string[][] = [];
    const program = (args: ServiceArgs, opts: CustomResourceOptions) => () => {
        new Service("orders", { name: "orders", connectionPooler: true, ...args }, opts);
    };
    const { errors } = await failed(
        stack.up(() => {
            const retry = new ErrorHook("retry", (args) => failures.push(args.errors) < 2);
            program({}, { hooks: { onError: [retry] } })();
        }),
    );
    expect(stack.calls()).toEqual(["createService", "enablePooler"]);
    const [{ service_id: id } = { service_id: "" }, ...others] = stack.emulator.snapshot().services;
    expect(others).toEqual([]);
    expect([...failures.flat(), ...errors].join("\n")).toContain(`already exists: ${id}`);

    stack.emulator.clearFaults();
    await stack.up(program({ existingId: id, password: "another-password" }, {}));
    expect(await stack.state("orders")).toMatchObject({ id, outputs: { connectionPooler: true } });
});

test("a failed peering is replaced by the next run, and one that failed during its activation after a refresh, together with the activation", async () => {
    const stack = await startStack();
    const program = () => {
        const { vpcId } = new Vpc("network", { name: "network", cidr: "10.0.0.0/24", regionCode: "us-east-1" });
        const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
        const { peeringId } = new Peering("office", { vpcId, ...peer, waitFor: "provisioned" });
        new PeeringActivation("accepted", { vpcId, peeringId });
    };
    const failPeering = ({ emulator }: TestStack) =>
        emulator.snapshot().peerings.forEach(({ id }) => emulator.failPeering(id, "no route"));
    stack.emulator.addFaults([{ operation: "createPeering", effect: { kind: "peeringFails", message: "no route" } }]);
    await failed(stack.up(program));
    stack.emulator.clearFaults();
    stack.emulator.setPeeringFate("acceptance");
    stack.calls();

    const { operations, messages } = await stack.preview();
    expect(operations).toMatchObject({ office: "replace", accepted: "create" });
    expect(messages.office).toEqual([
        expect.stringMatching(/^is replaced \(status "failed" -> "active"\): the old peering \S+ is deleted$/),
        "is deleted before its replacement is created: no route. It cannot become active.",
        expect.stringMatching(/^1 create peering/),
    ]);
    const waiting = failed(stack.up());
    await polls(stack, 3);
    failPeering(stack);
    expect((await waiting).errors).toEqual([expect.stringContaining("`pulumi up --refresh`")]);
    expect(stack.calls()).toEqual(["deletePeering", "createPeering"]);

    stack.emulator.setPeeringFate("immediate");
    const replaced = await stack.up(undefined, { refresh: true });
    expect(replaced.operations).toEqual({ network: "same", office: "replace", accepted: "replace" });
    expect(stack.calls()).toEqual(["deletePeering", "createPeering"]);
    expect((await stack.preview()).operations).toEqual({ network: "same", office: "same", accepted: "same" });
});

/** Resolves when the peering was polled this number of times. */
async function polls({ emulator }: TestStack, count: number): Promise<void> {
    while (emulator.journal().filter(({ operationId }) => operationId === "getPeering").length < count) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
