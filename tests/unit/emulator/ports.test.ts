import { Ports } from "../../../emulator/postgres/ports";

test("many services that are created at once get different ports", async () => {
    const ports = new Ports();
    await ports.refill();
    const taken = Array.from({ length: 100 }, () => ports.take());
    expect(new Set(taken).size).toBe(100);
    await ports.refill();
    expect(taken).not.toContain(ports.take());
});
