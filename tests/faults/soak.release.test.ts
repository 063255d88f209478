import { setTimeout as sleep } from "node:timers/promises";
import axios from "axios";
import { randomFaults, startEmulator } from "../../emulator";
import { PartialFailure } from "../../provider/lifecycle/errors";
import { service } from "../support/fixtures";
import { lifecycles } from "../support/lifecycles";
import { rejectedOutputs } from "../support/passwords";
import { startProvider } from "../support/provider";
import { TestClock } from "../support/virtualClock";

const { Service } = lifecycles;
type State = Parameters<typeof Service.update>[1];

const services = 200;
const faultRate = 0.05;
/** More runs than any service needs. */
const mostRuns = 20;

const open = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length;

const resources = () => ({ sockets: open("TCPSocketWrap"), timers: open("Timeout"), servers: open("TCPServerWrap") });

it("two hundred services over real connections, with one call in twenty failing, are created, changed and deleted without loss, duplicates or leftovers", async () => {
    const before = resources();
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ clock: clock.forWorkers(), seed: 6, faults: [randomFaults(faultRate)] });
    const send = axios.getAdapter("http");
    const { run } = startProvider(emulator, clock, undefined, (config) => clock.during(send(config)));
    const figures = { runs: 0, adoptions: 0 };

    /** Repeats a run until it succeeds, as a user would. */
    async function repeat<T>(work: () => Promise<T>): Promise<T> {
        for (let tries = 1; ; tries++) {
            figures.runs += 1;
            try {
                return await work();
            } catch (error) {
                if (tries === mostRuns) {
                    throw error;
                }
            }
        }
    }

    function update(id: string, state: State, inputs: ReturnType<typeof service>): Promise<State> {
        let known = state;
        return repeat(async () => {
            try {
                return await Service.update(id, known, inputs, run());
            } catch (error) {
                known = error instanceof PartialFailure ? (error.state as State) : known;
                throw error;
            }
        });
    }

    function create(inputs: ReturnType<typeof service>): Promise<{ id: string; state: State }> {
        let existingId: string | undefined;
        return repeat(async () => {
            try {
                return await Service.create({ ...inputs, ...(existingId !== undefined && { existingId }) }, run());
            } catch (error) {
                if (error instanceof PartialFailure) {
                    return { id: error.id, state: await update(error.id, error.state as State, inputs) };
                }
                const [, found] = /already exists: (\w+)/.exec(String(error)) ?? [];
                if (found !== undefined) {
                    existingId = found;
                    figures.adoptions += 1;
                }
                throw error;
            }
        });
    }

    const rejected: string[] = [];
    const lifeCycles = Array.from({ length: services }, async (_, index) => {
        const inputs = {
            ...service({ name: `db-${index}` }),
            __urn: `urn:pulumi:dev::soak::clouddb:Service::${index}`,
        };
        const { id, state } = await create(inputs);
        rejected.push(...rejectedOutputs(emulator, id, state));
        const changes = { cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, password: `password-${index}` };
        const updated = await update(id, state, { ...inputs, ...changes });
        rejected.push(...rejectedOutputs(emulator, id, updated));
        await repeat(() => Service.delete(id, updated, run()));
    });
    await Promise.all(lifeCycles);

    const requests = emulator.journal().length;
    const hits = emulator.faults()[0]?.hits ?? 0;
    console.log(`${requests} requests, ${hits} faults, ${figures.runs} runs, ${figures.adoptions} adopted`);
    const { counts, services: left } = emulator.snapshot();
    expect(left).toEqual([]);
    expect(counts.services).toEqual({ made: services, removed: services });
    expect(rejected).toEqual([]);
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
