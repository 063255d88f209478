import { KeyedMutex } from "../../../provider/lifecycle/keyedMutex";

/** Work that ends when it is told to, and notes when it begins and ends. */
function work(name: string, log: string[]) {
    let finish: (error?: Error) => void = () => undefined;
    const run = () => {
        log.push(`${name} begins`);
        return new Promise<string>((resolve, reject) => {
            finish = (error) => {
                log.push(`${name} ends`);
                if (error) {
                    reject(error);
                } else {
                    resolve(name);
                }
            };
        });
    };
    return { run, finish: (error?: Error) => finish(error) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("KeyedMutex", () => {
    it("a lock runs work of one key in sequence, and work of different keys at the same time", async () => {
        const log: string[] = [];
        const [first, second, other] = [work("first", log), work("second", log), work("other", log)];
        const queue = new KeyedMutex();
        const all = [queue.withLock("a", first.run), queue.withLock("a", second.run), queue.withLock("b", other.run)];
        await settle();
        expect(log).toEqual(["first begins", "other begins"]);
        first.finish();
        await settle();
        expect(log).toEqual(["first begins", "other begins", "first ends", "second begins"]);
        second.finish();
        other.finish();
        expect(await Promise.all(all)).toEqual(["first", "second", "other"]);
    });

    it("a lock continues after failed work, which fails only for its own caller", async () => {
        const log: string[] = [];
        const [first, second] = [work("first", log), work("second", log)];
        const queue = new KeyedMutex();
        const failing = queue.withLock("a", first.run);
        const going = queue.withLock("a", second.run);
        await settle();
        first.finish(new Error("no"));
        await expect(failing).rejects.toThrow("no");
        await settle();
        second.finish();
        expect(await going).toBe("second");
    });
});
