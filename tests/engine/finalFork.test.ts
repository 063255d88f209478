import * as pulumi from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { startStack, type TestStack } from "../support/engine";

// What only the engine shows: the deletions and the output of its commands. Unit tests have the failures of a copy.

const orders =
    (args: ServiceArgs & { fork?: undefined } = {}, opts: pulumi.CustomResourceOptions = {}) =>
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
    });

    test("finalFork is recorded without a request, also as a secret, and a destroy keeps a copy that the printed line restores", async () => {
        const { operations } = await stack.up(orders({ finalFork: pulumi.secret(true) }));
        expect(operations.orders).toBe("update");
        expect(stack.calls()).toEqual([]);
        const id = idOf(stack);
        const { output } = await stack.destroy();
        expect(stack.calls()).toEqual(["forkService", "stopService", "deleteService"]);
        const { [id]: copy = { id: "", created: "" } } = copiesIn(stack);
        expect(copy).toMatchObject({ status: "PAUSED" });
        expect(output).toContain(`the last copy of service ${id} is ${copy.id}, with the data of ${copy.created}.`);
        expect(output).toContain(`a service with existingId: "${copy.id}", paused: false and a new password`);
        await stack.up(() => new Service("orders", { existingId: copy.id, paused: false, password: "new-password" }));
        expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: copy.id, status: "READY" }]);
    });

    test("a replacement keeps a copy of the old service, and the preview says so", async () => {
        await stack.up(orders());
        const id = idOf(stack);
        const moved = orders({ regionCode: "eu-west-1" });
        const { messages } = await stack.preview(moved);
        expect(messages.orders).toContain(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${id} is deleted, and its data will remain in a last copy`,
        );
        await stack.up(moved);
        expect(copiesIn(stack)).toMatchObject({ [id]: { status: "PAUSED" } });
        expect(idOf(stack)).not.toBe(id);
    });
});
