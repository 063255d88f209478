import { KeyedMutex } from "../../../provider/reconcile/reconcile";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Acquires locks, and notes who has them. */
function locks() {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const releases = new Map<string, () => void>();
    const acquire = async (
        name: string,
        key: string,
        waitForLock?: (acquired: Promise<unknown>) => Promise<unknown>,
    ) => {
        const release = await mutex.acquire(key, waitForLock);
        log.push(name);
        releases.set(name, release);
    };
    return { mutex, log, acquire, release: (name: string) => releases.get(name)?.() };
}

describe("KeyedMutex", () => {
    it("a lock has one holder at a time, in order of arrival, and locks of different keys are independent", async () => {
        const { mutex, log, acquire, release } = locks();
        void acquire("first", "a");
        void acquire("second", "a");
        void acquire("third", "a");
        void acquire("other", "b");
        await settle();
        expect(log).toEqual(["first", "other"]);
        release("first");
        await settle();
        expect(log).toEqual(["first", "other", "second"]);
        release("second");
        await settle();
        expect(log).toEqual(["first", "other", "second", "third"]);
        expect(mutex.isBusy("a")).toBe(true);
        release("third");
        await settle();
        expect(mutex.isBusy("a")).toBe(false);
    });

    it("the next one in line waits for the holder, even if the one before it has given up", async () => {
        const { log, acquire, release } = locks();
        void acquire("first", "a");
        await settle();
        await expect(acquire("second", "a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
        void acquire("third", "a");
        await settle();
        expect(log).toEqual(["first"]);
        release("first");
        await settle();
        expect(log).toEqual(["first", "third"]);
    });
});
