import { SharedCalls } from "../../../provider/wait/shared";

/** Calls that end when they are told to. */
function calls() {
    const open: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
    return {
        open,
        call: () => new Promise<string>((answer, fail) => open.push({ answer, fail })),
    };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a shared call", () => {
    it("serves everyone who asks while one is under way with one more, begun after they asked", async () => {
        const shared = new SharedCalls();
        const { open, call } = calls();
        const first = shared.ask("a", call);
        const others = Array.from({ length: 100 }, () => shared.ask("a", call));
        await settle();
        expect(open).toHaveLength(1);
        open[0]?.answer("old");
        expect(await first).toBe("old");
        await settle();
        expect(open).toHaveLength(2);
        open[1]?.answer("new");
        expect(new Set(await Promise.all(others))).toEqual(new Set(["new"]));
    });

    it("is not shared between keys, nor with who asks when it has ended", async () => {
        const shared = new SharedCalls();
        const { open, call } = calls();
        const [a, b] = [shared.ask("a", call), shared.ask("b", call)];
        expect(open).toHaveLength(2);
        open.forEach(({ answer }, index) => {
            answer(String(index));
        });
        expect(await Promise.all([a, b])).toEqual(["0", "1"]);
        void shared.ask("a", call);
        expect(open).toHaveLength(3);
    });

    it("that fails fails for those who share it, and not for those who come after", async () => {
        const shared = new SharedCalls();
        const { open, call } = calls();
        const first = shared.ask("a", call);
        const second = shared.ask("a", call);
        open[0]?.fail(new Error("no"));
        await expect(first).rejects.toThrow("no");
        await settle();
        open[1]?.answer("yes");
        expect(await second).toBe("yes");
    });
});
