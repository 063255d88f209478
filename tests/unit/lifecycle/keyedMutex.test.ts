import { KeyedMutex } from "../../../provider/lifecycle/keyedMutex";

/** Work that lasts until `finish` is called, and logs its start and end. */
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
        const mutex = new KeyedMutex();
        const all = [mutex.withLock("a", first.run), mutex.withLock("a", second.run), mutex.withLock("b", other.run)];
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
        const mutex = new KeyedMutex();
        const failing = mutex.withLock("a", first.run);
        const succeeding = mutex.withLock("a", second.run);
        await settle();
        first.finish(new Error("no"));
        await expect(failing).rejects.toThrow("no");
        await settle();
        second.finish();
        expect(await succeeding).toBe("second");
    });
});
