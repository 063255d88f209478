import { Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

afterAll(removeStacks);

describe("services that were changed outside of the program, without a refresh", () => {
    let stack: TestStack;

    const program = (args: ServiceArgs & { attached?: boolean }) => () => {
        const { attached = false, ...rest } = args;
        const { vpcId } = new Vpc("network", { name: "network", cidr: "10.0.0.0/21", regionCode: "us-east-1" });
        new Vpc("other", { name: "other", cidr: "10.1.0.0/21", regionCode: "us-east-1" });
        new Service("orders", { name: "orders", ...(attached && { vpcId }), ...rest });
    };
    const orders = () => stack.emulator.snapshot().services[0];

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program({}));
        stack.calls();
    });

    test("a change that needs a paused service running fails with the command that plans its start", async () => {
        const { service_id: id = "" } = orders() ?? {};
        const url = `${stack.emulator.url}/projects/${stack.emulator.projectId}/services/${id}/stop`;
        await fetch(url, { method: "POST", headers: { Authorization: `Bearer ${stack.emulator.token}` } });
        stack.calls();
        const { errors } = await failed(stack.up(program({ replicaCount: 1 })));
        expect(errors.join()).toContain("it is paused, but must be running");
        expect(errors.join()).toContain("pulumi refresh");
        expect(stack.calls()).toEqual([]);

        await stack.refresh();
        const { operations } = await stack.up(program({ replicaCount: 1 }));
        expect(operations.orders).toBe("update");
        expect(stack.calls()).toEqual(["startService", "setHA"]);
        expect(orders()?.status).toBe("READY");
    });

    test("a service that was attached to another VPC outside of the program is detached first, after a refresh", async () => {
        const { vpcs, services } = stack.emulator.snapshot();
        const other = vpcs.find(({ name }) => name === "other")?.id ?? "";
        stack.emulator.updateService(services[0]?.service_id ?? "", { vpcId: other });
        const { errors } = await failed(stack.up(program({ replicaCount: 1, attached: true })));
        expect(errors.join()).toContain(`it is attached to VPC ${other}`);
        expect(stack.calls()).toEqual([]);

        await stack.refresh();
        await stack.up(program({ replicaCount: 1, attached: true }));
        expect(stack.calls()).toEqual(["detachFromVPC", "attachToVPC"]);
        expect(orders()?.vpc_endpoint?.vpc_id).toBe(vpcs.find(({ name }) => name === "network")?.id);
        expect((await stack.up()).operations.orders).toBe("same");
    });

    test("deletionProtection of an UNSTABLE service is removed without a request", async () => {
        await stack.up(program({ replicaCount: 1, attached: true, deletionProtection: true }));
        stack.emulator.setServiceStatus(orders()?.service_id ?? "", "UNSTABLE");
        stack.emulator.clearJournal();
        const { operations } = await stack.up(program({ replicaCount: 1, attached: true }));

        expect(operations.orders).toBe("update");
        expect(stack.emulator.journal()).toEqual([]);
    });
});
