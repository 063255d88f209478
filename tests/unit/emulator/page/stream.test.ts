import { EventEmitter } from "node:events";
import { Stream } from "../../../../emulator/page/stream";

const lostMs = 20_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A stream, and a client that can stop reading. */
const setUp = () => {
    let [updates, comparisons] = [0, 0];
    const feed = {
        complete: () => "complete",
        next: () => {
            comparisons++;
            return `update ${++updates}`;
        },
    };
    const stream = new Stream(feed, () => undefined);
    const newClient = () => {
        const client = Object.assign(new EventEmitter(), {
            received: [] as string[],
            writableNeedDrain: false,
            destroyed: false,
            write: (text: string) => client.received.push(text) > 0,
            destroy: () => {
                client.destroyed = true;
                client.emit("close");
                return client as never;
            },
        });
        client.received.push(stream.open());
        stream.add(client as never);
        return client;
    };
    return { newClient, comparisons: () => comparisons };
};

describe("the stream of updates", () => {
    it("the stream of updates finds what has changed once for 200 clients", () => {
        const { newClient, comparisons } = setUp();
        const clients = Array.from({ length: 200 }, newClient);
        const before = comparisons();
        jest.advanceTimersByTime(150);
        expect(comparisons() - before).toBe(1);
        expect(clients.every(({ received }) => received.length === 2)).toBe(true);
        clients.forEach((client) => client.emit("close"));
        expect(jest.getTimerCount()).toBe(0);
    });

    it("a client that does not read gets the complete state later, and is dropped after 20 seconds", () => {
        const { newClient } = setUp();
        const [slow, lost] = [newClient(), newClient()];
        [slow.writableNeedDrain, lost.writableNeedDrain] = [true, true];
        jest.advanceTimersByTime(lostMs / 2);
        expect(slow.received).toEqual(["complete"]);
        slow.writableNeedDrain = false;
        jest.advanceTimersByTime(150);
        expect(slow.received[1]).toBe("complete");
        jest.advanceTimersByTime(lostMs);
        expect([slow.destroyed, lost.destroyed]).toEqual([false, true]);
    });
});
