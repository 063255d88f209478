import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import axios from "axios";
import { randomFaults, startEmulator } from "../../../emulator";
import { TestClock } from "../../support/virtualClock";
import { startProvider } from "../../support/provider";
import { runLifeCycle } from "./lifeCycle";

const services = 200;
/** Enough to compile all code and fill every pool. */
const warmUp = 20;
const faultRate = 0.05;
const mostGrowthBytes = 12 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
};

const open = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length;

const resources = () => ({ sockets: open("TCPSocketWrap"), timers: open("Timeout"), servers: open("TCPServerWrap") });

describe("two hundred concurrent services over real connections, with one call in twenty failing", () => {
    it("two hundred services with one call in twenty failing are created, changed and deleted without loss, duplicates or leftovers", async () => {
        const before = resources();
        const clock = TestClock.automatic();
        const emulator = await startEmulator({ clock: clock.forWorkers(), seed: 6, faults: [randomFaults(faultRate)] });
        const send = axios.getAdapter("http");
        const provider = startProvider(emulator, clock, undefined, (config) => clock.during(send(config)));
        const round = (name: string, count: number) =>
            Promise.all(
                Array.from({ length: count }, (_, index) => runLifeCycle(`${name}-${index}`, emulator, provider)),
            );

        await round("warm-up", warmUp);
        emulator.clearJournal();
        const heapBefore = heap();
        const all = await round("db", services);

        const requests = emulator.journal().length;
        const hits = emulator.faults()[0]?.hits ?? 0;
        const runs = all.reduce((sum, figures) => sum + figures.runs, 0);
        const adoptions = all.reduce((sum, figures) => sum + figures.adoptions, 0);
        const { counts, services: left } = emulator.snapshot();
        emulator.clearJournal();
        const growth = heap() - heapBefore;
        console.log(
            `${services} services, ${requests} requests, ${hits} faults, ${runs} runs of ${4 * services}, ` +
                `${adoptions} adopted, heap ${(growth / 1024 / 1024).toFixed(1)} MB larger`,
        );

        expect(left).toEqual([]);
        expect(counts.services).toEqual({ made: services + warmUp, removed: services + warmUp });
        expect(hits).toBeGreaterThan(requests * faultRate * 0.7);
        expect(clock.sleeping).toBe(0);
        expect(growth).toBeLessThan(mostGrowthBytes);

        await emulator.close();
        // Closed sockets and timers are counted until the next iteration of the event loop.
        for (let polls = 0; polls < 50 && open("TCPSocketWrap") > before.sockets; polls++) {
            await sleep(20);
        }
        const after = resources();
        // Sockets and timers of another test in this process may have closed in the meantime.
        expect(after.sockets).toBeLessThanOrEqual(before.sockets);
        expect(after.servers).toBeLessThanOrEqual(before.servers);
        expect(after.timers).toBeLessThanOrEqual(before.timers);
    }, 120_000);
});
