import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";

afterAll(removeStacks);

const limitMs = 120_000;
const notFound = '{"code":"NOT_FOUND","message":"not found"}';

test(
    "a refresh with a token that sees nothing keeps the state, and `pulumi destroy` confirms that everything is gone",
    async () => {
        let isBlind = false;
        const stack = await startStack({
            intercept: ({ operationId }, carryOut) => {
                const isList = ["listServices", "listVpcs"].includes(operationId);
                return isBlind && /^(get|list)/.test(operationId)
                    ? Promise.resolve({ status: isList ? 200 : 404, headers: {}, body: isList ? "[]" : notFound })
                    : carryOut();
            },
        });
        await stack.up(() => {
            const network = new Vpc("network", { cidr: "10.0.0.0/24", regionCode: "us-east-1" });
            const orders = new Service("orders", { vpcId: network.vpcId });
            new ReadReplicaSet("readers", { serviceId: orders.serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
        });
        const before = await stack.resources();
        const { services, vpcs } = stack.emulator.snapshot();

        isBlind = true;
        const { errors } = await failed(stack.refresh());
        expect(errors.join("\n")).toContain("shows no service and no VPC at all to this token. The state is kept.");
        expect((await stack.resources()).map(({ urn }) => urn)).toEqual(before.map(({ urn }) => urn));
        isBlind = false;
        await stack.refresh();

        services.forEach(({ service_id: id }) => stack.emulator.deleteService(id));
        vpcs.forEach(({ id }) => stack.emulator.deleteVpc(id));
        await failed(stack.refresh());
        await stack.destroy();
        expect(await stack.resources()).toEqual([]);
    },
    limitMs,
);

test(
    "a refresh removes the only resource of a stack from the state if it is gone",
    async () => {
        const stack = await startStack();
        await stack.up(() => {
            new Service("orders");
        });
        stack.emulator.snapshot().services.forEach(({ service_id: id }) => stack.emulator.deleteService(id));
        await stack.refresh();
        expect(await stack.entries("orders")).toEqual([]);
    },
    limitMs,
);
