import { Client } from "../../../provider/api/client";
import { ConnectionError } from "../../../provider/api/callErrors";
import { ServerClock } from "../../../provider/api/clock";
import { failureOf, withToken } from "../../support/client";
import { TestClock } from "../../support/virtualClock";

const noon = Date.UTC(2030, 0, 1, 12);
const header = (ms: number) => new Date(ms).toUTCString();

it("the clock of the API is unknown before the first Date header", () => {
    const clock = new ServerClock(new TestClock(5_000));
    clock.synchronize(undefined, 0);
    clock.synchronize("soon", 0);
    expect(clock.since(0)).toBeUndefined();
    expect(clock.now()).toBe(5_000);
});

it("the period includes the rounding of the Date header and the time of the response", async () => {
    const ours = new TestClock(0);
    const clock = new ServerClock(ours);
    await ours.advance(200);
    clock.synchronize(header(noon + 900), 0);
    await ours.advance(3_000);
    const begin = ours.now();
    await ours.advance(500);
    expect(clock.since(begin)).toEqual({ from: noon + 3_000, until: noon + 1_000 + 3_700 });
    expect(clock.now()).toBe(noon + 3_500);
});

it("the error has the period of the request, from the Date header of the last valid response", async () => {
    const ours = new TestClock(0);
    const answers = [
        { status: 200, data: "[]", headers: { date: header(noon) } },
        { status: 502, data: "", headers: { date: header(noon + 3_600_000) } },
    ];
    const client = new Client(withToken("http://127.0.0.1:9/v1"), {
        clock: ours,
        adapter: async (config) => {
            const answer = answers.shift();
            if (answer === undefined) {
                await ours.advance(60_000);
                throw Object.assign(new Error(), { code: "ECONNRESET" });
            }
            return { ...answer, statusText: "", config };
        },
    });
    const path = { project_id: "p" };
    await client.call("listVpcs", { path }, {});
    const vpc = { name: "a", cidr: "10.0.0.0/16", region_code: "r" };
    await client.call("createVpc", { path, body: vpc }, {}).catch(() => undefined);
    const creation = client.call("createService", { path, body: { name: "db" } }, {});
    const error = await failureOf(creation, ConnectionError);
    expect(error.call.inFlight).toEqual({ from: noon, until: noon + 61_000 });
});
