import { startEmulator, type JournalEntry } from "../../emulator";
import { Client } from "../../provider/api/client";
import { lifecycles } from "../support/lifecycles";
import { TestClock } from "../support/virtualClock";
import { service } from "../support/fixtures";
import { startProvider } from "../support/provider";

const { Service } = lifecycles;
const [services, perSecond] = [100, 5];

/** The longest series in which the API rejected the same request with 429. */
function longestSeries(journal: readonly JournalEntry[]): number {
    const series = new Map<string, number>();
    const lengths = journal.map(({ method, path, body, status }) => {
        const request = JSON.stringify([method, path, body]);
        const length = status === 429 ? (series.get(request) ?? 0) + 1 : 0;
        series.set(request, length);
        return length;
    });
    return Math.max(...lengths);
}

test("a hundred services are created at five requests per second without a failed call, and no request is rejected more than twice in a row", async () => {
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ seed: 1, clock, rate: perSecond });
    const call = jest.spyOn(Client.prototype, "call");
    const provider = startProvider(emulator, clock);
    const names = Array.from({ length: services }, (_, index) => `service-${index}`);
    await Promise.all(names.map((name) => Service.create(service({ name }), provider.run())));
    expect(emulator.snapshot().services.filter(({ status }) => status === "READY")).toHaveLength(services);
    const results = await Promise.allSettled(call.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    const refused = emulator.journal().filter(({ status }) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(services / perSecond);
    expect(longestSeries(emulator.journal())).toBeLessThanOrEqual(2);
    call.mockRestore();
    await emulator.close();
});
