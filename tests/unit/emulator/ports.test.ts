import { Ports } from "../../../emulator/postgres/ports";

test("each database gets a port of its own, which is used again only after its release", () => {
    const ports = new Ports();
    const taken = Array.from({ length: 100 }, () => ports.take());
    expect(new Set(taken).size).toBe(100);
});
