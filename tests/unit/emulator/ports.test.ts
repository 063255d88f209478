import { newPort } from "../../../emulator/postgres/ports";

test("a new database gets a port that belongs to no other database", () => {
    const taken = new Set<number>(Array.from({ length: 9_900 }, (_, index) => 12_000 + index));
    expect(taken).not.toContain(newPort(taken));
});
