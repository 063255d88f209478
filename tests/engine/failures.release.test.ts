import { Service } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";

// What only the engine shows: what it stores after a failure, and which call of the next run resumes. Unit tests have the
// other failures.

test("a creation that times out keeps the service in the state, and the next run resumes it", async () => {
    const stack = await startStack({ durations: { create: 250_000 } });
    const program = (create: string) => () => {
        const args = { name: "orders", connectionPooler: true };
        const { initialPassword } = new Service("orders", args, { customTimeouts: { create } });
        return { initialPassword };
    };
    await failed(stack.up(program("2s")));
    const { id } = await stack.state("orders");
    expect(id).toBe(stack.emulator.snapshot().services[0]?.service_id);

    await stack.up(program("1m"));
    expect(stack.calls()).toEqual(["createService", "enablePooler"]);
    expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: id, status: "READY" }]);
    const { initialPassword } = (await stack.outputs()) as { initialPassword: string };
    expect(stack.emulator.passwordMatches(id, initialPassword)).toBe(true);
});
