import { Client } from "../provider/api/client";
import type { Schemas } from "../provider/api/contract";
import { anyService, readiness } from "../provider/resources/service/status";
import { Lists } from "../provider/observe/lists";
import { collectionAt } from "../provider/observe/reads";
import { waitFor } from "../provider/observe/wait";
import { Absence } from "../provider/observe/watch";
import { withToken } from "../tests/support/client";
import { seeded, type Job, type Waited } from "./work";
import { withWorld, type World } from "./world";

/** Services whose changes the benchmark times. */
export interface Services extends World {
    readonly serviceIds: readonly string[];
}

/** Far beyond all durations. */
const limitMs = 100 * 3_600_000;

export function withServices<T>(count: number, work: (services: Services) => Promise<T>): Promise<T> {
    return withWorld({ queued: 0, create: 0 }, async (world) => {
        const serviceIds: string[] = [];
        for (let index = 0; index < count; index++) {
            serviceIds.push((await world.emulator.createService({ name: `service-${index}` })).id);
        }
        return work({ ...world, serviceIds });
    });
}

/** The waits of this provider: shared lists and one client for all, as for its resources. */
export function ours(services: Services, jobs: readonly Job[], seed: number): Promise<Waited> {
    const random = seeded(seed);
    const { clock, emulator } = services;
    const collection = collectionAt(anyService, { project_id: emulator.projectId }, clientOf(services, random));
    const lists = new Lists(clock, random);
    return perform(services, jobs, (id) =>
        waitFor<Schemas["Service"]>(
            {
                subject: id,
                collection,
                id,
                until: "ready",
                absence: new Absence(clock),
                evaluate: readiness,
                deadlineAt: clock.now() + limitMs,
                timeoutSetting: "none",
            },
            lists,
        ),
    );
}

/** A client with its own rate limit. */
const clientOf = ({ clock, adapter, emulator: { url, token } }: World, random: () => number) =>
    new Client(withToken(url, token), { clock, random, adapter });

/** Keeps the services from being ready for the durations of the jobs, while something waits for each. */
async function perform(
    { clock, emulator, serviceIds }: Services,
    jobs: readonly Job[],
    wait: (serviceId: string) => Promise<unknown>,
): Promise<Waited> {
    emulator.clearJournal();
    const delays = jobs.map(async ({ beginsAt, durationMs }, index) => {
        const id = serviceIds[index] ?? "";
        await clock.sleep(beginsAt);
        const readyAt = clock.now() + durationMs;
        emulator.setServiceStatus(id, "CONFIGURING", durationMs);
        await wait(id);
        return clock.now() - readyAt;
    });
    const delaysMs = await Promise.all(delays);
    return { delaysMs, requests: emulator.journal().length };
}
