import { readOptions } from "../../provider/api/client";
import { simulate } from "../support/simulation";

it.each(["seconds", "date"])(
    "a response with Retry-After is retried at that time, by the clock of the API if it is a date (%s)",
    async (form) => {
        const world = await simulate({ faults: [`listVpcs:429,retryAfterMs=3000,retryAfterForm=${form}`] });
        const before = world.clock.now();
        expect(
            await world.client.call("listVpcs", { path: { project_id: world.emulator.projectId } }, readOptions),
        ).toEqual([]);
        const waited = world.clock.now() - before;
        expect(waited).toBeGreaterThanOrEqual(3_000);
        expect(waited).toBeLessThan(5_000);
    },
);
