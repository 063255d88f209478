import { setTimeout as sleep } from "node:timers/promises";
import axios from "axios";
import { randomFaults, startEmulator } from "../../../emulator";
import { TestClock } from "../../support/virtualClock";
import { startProvider } from "../../support/provider";
import { runLifeCycle, type Figures } from "./lifeCycle";

const services = 200;
const faultRate = 0.05;

const open = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length;

const resources = () => ({ sockets: open("TCPSocketWrap"), timers: open("Timeout"), servers: open("TCPServerWrap") });

describe("two hundred concurrent services over real connections, with one call in twenty failing", () => {
    it("two hundred services with one call in twenty failing are created, changed and deleted without loss, duplicates or leftovers", async () => {
        const before = resources();
        const clock = TestClock.automatic();
        const emulator = await startEmulator({ clock: clock.forWorkers(), seed: 6, faults: [randomFaults(faultRate)] });
        const send = axios.getAdapter("http");
        const provider = startProvider(emulator, clock, undefined, (config) => clock.during(send(config)));
        const names = Array.from({ length: services }, (_, index) => `db-${index}`);
        const all = await Promise.all(names.map((name) => runLifeCycle(name, emulator, provider)));

        const requests = emulator.journal().length;
        const hits = emulator.faults()[0]?.hits ?? 0;
        const sum = (of: (figures: Figures) => number) => all.reduce((total, figures) => total + of(figures), 0);
        const [runs, adoptions] = [sum((one) => one.runs), sum((one) => one.adoptions)];
        console.log(`${requests} requests, ${hits} faults, ${runs} runs of ${4 * services}, ${adoptions} adopted`);
        const { counts, services: left } = emulator.snapshot();
        expect(left).toEqual([]);
        expect(counts.services).toEqual({ made: services, removed: services });
        expect(hits).toBeGreaterThan(requests * faultRate * 0.7);
        expect(clock.sleeping).toBe(0);

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
    });
});
