import { createServer, type AddressInfo, type Socket } from "node:net";
import { connectEngine } from "../../../provider/hosts/engine";
import { settled, TestClock } from "../../support/virtualClock";

const running: { readonly kill: () => Promise<unknown> }[] = [];

/** A fake engine that accepts connections and never responds. */
async function startEngine(port = 0) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const closeConnections = () => sockets.forEach((socket) => socket.destroy());
    const engine = {
        address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        /** Resolves after this number of connections. */
        accepted: async (count: number) => {
            while (sockets.size < count) {
                await settled();
            }
        },
        closeConnections,
        /** Closes all sockets, as a kill does. */
        kill: async () => {
            const closed = new Promise((resolve) => server.close(resolve));
            closeConnections();
            await closed;
        },
    };
    running.push(engine);
    return engine;
}

beforeEach(() => {
    // Fakes the gRPC library's timeouts, but not sockets and promises.
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
});

afterEach(async () => {
    jest.useRealTimers();
    await Promise.all(running.splice(0).map((engine) => engine.kill()));
});

/** An engine after the first connection of the provider. */
async function connected() {
    const clock = new TestClock();
    const engine = await startEngine();
    const { runEnded: gone } = connectEngine(engine.address, clock);
    await engine.accepted(1);
    return { clock, engine, gone };
}

/** Advances the time of the provider, with pauses for its sockets. */
async function pass(clock: TestClock, ms: number): Promise<void> {
    const stepMs = Math.max(ms / 50, 100);
    for (let passed = 0; passed < ms; passed += stepMs) {
        await settled();
        await jest.advanceTimersByTimeAsync(stepMs);
        await clock.advance(stepMs);
    }
}

/** The time until the engine counts as gone. */
async function timeUntilGone(clock: TestClock, gone: AbortSignal): Promise<number> {
    const beganAt = clock.now();
    while (!gone.aborted && clock.now() - beganAt < 60_000) {
        await pass(clock, 100);
    }
    return clock.now() - beganAt;
}

it("an engine that responds after some seconds at the start, or was idle for half an hour, counts as running", async () => {
    const { clock, gone } = await connected();
    await pass(clock, 5_000);
    expect(gone.aborted).toBe(false);
    await pass(clock, 2 * 3_600_000);
    expect(gone.aborted).toBe(false);
});

it("an engine that closes a connection and accepts the next one counts as running", async () => {
    const { clock, engine, gone } = await connected();
    for (let count = 1; count <= 5; count++) {
        await engine.accepted(count);
        engine.closeConnections();
        await pass(clock, 1_000);
    }
    expect(gone.aborted).toBe(false);
});

it("an engine that refuses connections for a moment counts as running", async () => {
    const { clock, engine, gone } = await connected();
    await engine.kill();
    await pass(clock, 500);
    const back = await startEngine(Number(engine.address.split(":")[1]));
    await Promise.all([back.accepted(1), pass(clock, 5_000)]);
    expect(gone.aborted).toBe(false);
});

it("a killed engine counts as gone within seconds, also if it was killed before a connection", async () => {
    const { clock, engine, gone } = await connected();
    await pass(clock, 60_000);
    await engine.kill();
    expect(await timeUntilGone(clock, gone)).toBeLessThan(3_000);
    expect(gone.reason).toMatchObject({ message: expect.stringMatching(/^The Pulumi engine has exited\./) as string });
    expect(await timeUntilGone(clock, connectEngine(engine.address, clock).runEnded)).toBeLessThan(3_000);
});
