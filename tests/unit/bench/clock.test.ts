import { BenchClock } from "../../../bench/waiting/clock";

test("sleepers wake in order of their due time, then in the order of their calls", async () => {
    const clock = new BenchClock();
    const began = clock.now();
    const woken: string[] = [];
    const sleeper = async (ms: number, name: string) => {
        await clock.sleep(ms);
        woken.push(`${name} at ${clock.now() - began}`);
    };

    await clock.run(Promise.all([sleeper(30, "c"), sleeper(10, "a"), sleeper(10, "b"), sleeper(40, "d")]));

    expect(woken).toEqual(["a at 10", "b at 10", "c at 30", "d at 40"]);
});

test("a thousand sleepers wake in order", async () => {
    const clock = new BenchClock();
    const times = Array.from({ length: 1_000 }, (_, index) => (index * 7_919) % 1_009);
    const woken: number[] = [];

    await clock.run(
        Promise.all(
            times.map(async (ms) => {
                await clock.sleep(ms);
                woken.push(ms);
            }),
        ),
    );

    expect(woken).toEqual([...times].sort((a, b) => a - b));
});

test("an aborted sleep ends immediately and takes no time", async () => {
    const clock = new BenchClock();
    const began = clock.now();
    const controller = new AbortController();
    const sleeping = clock.sleep(1_000, controller.signal);
    controller.abort(new Error("enough"));

    await expect(clock.run(sleeping)).rejects.toThrow("enough");
    expect(clock.now()).toBe(began);
});

test("the virtual clock fails instead of hanging if work does not wait for it", async () => {
    await expect(new BenchClock().run(new Promise(() => undefined))).rejects.toThrow("nothing sleeps on this clock");
});
