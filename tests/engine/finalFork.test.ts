import * as pulumi from "@pulumi/pulumi";
import { ProductionDatabase, Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, type TestStack } from "../support/engine";

const limitMs = 120_000;

afterAll(removeStacks);

const orders =
    (args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) =>
    () =>
        new Service("orders", { name: "orders", regionCode: "us-east-1", finalFork: true, ...args }, opts);

/** The copies of all deleted services, by the id of the service. */
function copiesIn({ emulator }: TestStack): Record<string, { id: string; status: string; created: string }> {
    const copies = emulator.snapshot().services.filter(({ name }) => name.includes("-last-copy-"));
    return Object.fromEntries(
        copies.map(({ service_id: id, status, created, forked_from: parent }) => [
            String(parent?.service_id),
            { id, status, created },
        ]),
    );
}

const idOf = (stack: TestStack) =>
    stack.emulator.snapshot().services.find(({ name }) => name === "orders")?.service_id ?? "";

describe("finalFork", () => {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(orders({ finalFork: undefined as never }));
        stack.calls();
    }, limitMs);

    test(
        "finalFork is recorded without a request, also as a secret, and a destroy keeps a copy that the printed line restores",
        async () => {
            const { operations } = await stack.up(orders({ finalFork: pulumi.secret(true) }));
            expect(operations.orders).toBe("update");
            expect(stack.calls()).toEqual([]);
            const id = idOf(stack);
            const { output } = await stack.destroy();
            expect(stack.calls()).toEqual(["forkService", "stopService", "deleteService"]);
            const { [id]: copy = { id: "", created: "" } } = copiesIn(stack);
            expect(copy).toMatchObject({ status: "PAUSED" });
            expect(output).toContain(`the last copy of service ${id} is ${copy.id}, with the data of ${copy.created}.`);
            expect(output).toContain(`new clouddb.Service("orders", { existingId: "${copy.id}", paused: false });`);
            await stack.up(
                () => new Service("orders", { existingId: copy.id, paused: false, password: "new-password" }),
            );
            expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: copy.id, status: "READY" }]);
            await stack.destroy();
        },
        limitMs,
    );

    test.each([{ deleteBeforeReplace: false }, { deleteBeforeReplace: true }])(
        "a replacement keeps a copy of the old service, and the preview says so (deleteBeforeReplace: $deleteBeforeReplace)",
        async (opts) => {
            await stack.up(orders({ allowReplace: true }, opts));
            const id = idOf(stack);
            const moved = orders({ allowReplace: true, regionCode: "eu-west-1" }, opts);
            const { messages } = await stack.preview(moved);
            expect(messages.orders).toContain(
                `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${id} is deleted and its data remains in a last copy`,
            );
            await stack.up(moved);
            expect(copiesIn(stack)).toMatchObject({ [id]: { status: "PAUSED" } });
            expect(idOf(stack)).not.toBe(id);
            await stack.up(orders({ allowReplace: true, regionCode: "eu-west-1", finalFork: false }, opts));
            await stack.destroy();
            expect(stack.emulator.snapshot().services).toHaveLength(1);
            stack.emulator.deleteService(copiesIn(stack)[id]?.id ?? "");
        },
        limitMs,
    );

    test(
        "a service whose copy fails stays, and the run after that continues with its copy",
        async () => {
            await stack.up(orders());
            const id = idOf(stack);
            stack.emulator.addFaults(["forkService#1:400", "stopService#1:400"]);
            const { errors } = await failed(stack.up(() => undefined));
            expect(errors[0]).toContain('Service "orders" is not deleted, because its last copy is not complete.');
            await failed(stack.up(() => undefined));
            const { [id]: begun } = copiesIn(stack);
            expect(stack.emulator.snapshot().services).toMatchObject([
                { service_id: id, status: "READY" },
                { service_id: begun?.id, status: "READY" },
            ]);
            await stack.up(() => undefined);
            expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: begun?.id, status: "PAUSED" }]);
            stack.emulator.deleteService(begun?.id ?? "");
        },
        limitMs,
    );

    test(
        "a production database keeps a copy of its service",
        async () => {
            await stack.up(
                () =>
                    new ProductionDatabase("orders", {
                        cpuMillis: 500,
                        finalFork: true,
                        deletionProtection: false,
                        readReplicas: { reports: {} },
                    }),
            );
            const { operations } = await stack.destroy();
            expect(operations).toMatchObject({ orders: "delete", "orders-reports": "delete" });
            expect(stack.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
        },
        limitMs,
    );
});
