import pRetry from "p-retry";
import type { Service } from "../../provider/api/contract";
import { anyService, readiness } from "../../provider/resources/service/observed";
import { Lists } from "../../provider/observe/lists";
import { sourceOf } from "../../provider/observe/source";
import { runWait } from "../../provider/observe/wait";
import { seeded } from "../statistics";
import type { Peer } from "./peers";
import type { Job, Waited } from "./work";
import type { World } from "./world";

/** Far beyond all durations. */
const limitMs = 100 * 3_600_000;

/** Waits for one service to be ready. */
type WaitFor = (serviceId: string) => Promise<unknown>;

/** The waits of this provider: shared lists and one client for all, as for its resources. */
export function ours(world: World, jobs: readonly Job[], seed: number): Promise<Waited> {
    const random = seeded(seed);
    const { clock, projectId } = world;
    const client = world.client(random);
    const lists = new Lists(clock, random);
    return perform(world, jobs, (id) =>
        runWait<Service>(
            {
                subject: id,
                source: sourceOf(anyService, { project_id: projectId }, client),
                id,
                until: "ready",
                evaluate: readiness,
                deadlineAt: clock.now() + limitMs,
                timeoutSetting: "none",
            },
            lists,
        ),
    );
}

/** The schedule of a peer with real requests, to check the calculation. */
export function withRequests(world: World, jobs: readonly Job[], { firstMs, thenMs }: Peer): Promise<Waited> {
    const { clock, projectId } = world;
    const client = world.client(() => 0);
    return perform(world, jobs, async (id) => {
        await clock.sleep(firstMs);
        await pRetry(
            async () => {
                const { status } = await client.call(
                    "getService",
                    { path: { project_id: projectId, service_id: id } },
                    { deadlineAt: clock.now() + limitMs },
                );
                if (status !== "READY") {
                    throw new Error(status);
                }
            },
            { retries: Infinity, minTimeout: 0, maxTimeout: 0, onFailedAttempt: () => clock.sleep(thenMs) },
        );
    });
}

async function perform(world: World, jobs: readonly Job[], wait: WaitFor): Promise<Waited> {
    const { clock, serviceIds } = world;
    world.requests();
    const delays = jobs.map(async ({ beginsAt, durationMs }, index) => {
        const id = serviceIds[index] ?? "";
        await clock.sleep(beginsAt);
        const readyAt = clock.now() + durationMs;
        world.keepBusy(id, durationMs);
        await wait(id);
        return clock.now() - readyAt;
    });
    const delaysMs = await Promise.all(delays);
    return { delaysMs, requests: world.requests() };
}
