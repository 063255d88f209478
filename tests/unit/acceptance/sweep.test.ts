import { Client } from "../../../provider/api/client";
import type { Service } from "../../../provider/api/contract";
import { sweep } from "../../acceptance/sweep/sweep";
import { withToken } from "../../support/client";
import { json, serve } from "../../support/loopback";

const projectId = "acceptance";
const hourMs = 3_600_000;
const now = Date.parse("2026-03-01T12:00:00Z");
const suiteName = "clouddb-acceptance-0123456789ab-orders";
const ago = (ms: number) => new Date(now - ms).toISOString();

const leftOver: Service = {
    service_id: "leftover01",
    name: suiteName,
    project_id: projectId,
    created: ago(2 * hourMs),
    region_code: "us-east-1",
    resources: [],
    service_type: "POSTGRES",
    status: "READY",
};

/** An API with these services. `read` overrides what the read of a single service returns. */
interface World {
    readonly services: readonly object[];
    readonly read?: object;
    readonly vpcs?: readonly object[];
    readonly replicaSets?: readonly object[];
    readonly date?: string | undefined;
    readonly deletionStatus?: number;
}

/** Runs a sweep. `ours` is the clock of this computer. */
async function run(world: World, { ours = now, confirmed = true } = {}) {
    const { services, read, vpcs = [], deletionStatus = 202 } = world;
    const date = "date" in world ? world.date : new Date(now).toUTCString();
    const deleted: string[] = [];
    let replicaSets = world.replicaSets ?? [];
    const { url } = await serve((response, { method, url: path }) => {
        response.sendDate = false;
        const answer = (status: number, body: unknown) =>
            json(response, status, body, date === undefined ? {} : { date });
        const [, id = ""] = /\/services\/(\w+)/.exec(path) ?? [];
        if (method === "DELETE") {
            deleted.push(path.replace(`/v1/projects/${projectId}`, ""));
            replicaSets = path.includes("replicaSets") ? [] : replicaSets;
            answer(deletionStatus, { code: "BROKEN", message: "broken" });
        } else if (path.endsWith("/vpcs")) {
            answer(200, vpcs);
        } else if (path.endsWith("/services")) {
            answer(200, services);
        } else if (path.endsWith("/replicaSets")) {
            answer(200, replicaSets);
        } else if (deleted.includes(`/services/${id}`)) {
            answer(404, { code: "NOT_FOUND", message: "gone" });
        } else {
            answer(200, read ?? services.find((one) => (one as Service).service_id === id));
        }
    });
    let at = ours;
    const sleep = (ms: number) => {
        at += ms;
        return Promise.resolve();
    };
    const clock = { now: () => at, sleep, after: () => () => undefined };
    const printed: string[] = [];
    const listedBefore: string[][] = [];
    const failures = await sweep({
        client: new Client(withToken(url), { clock }),
        projectId,
        clock,
        print: (text) => printed.push(text),
        confirm: () => {
            listedBefore.push([...printed], [...deleted]);
            return Promise.resolve(confirmed);
        },
    });
    return { deleted, failures, printed: printed.join("\n"), listedBefore };
}

test("a service with a name of the suite that is older than an hour is listed, then deleted", async () => {
    const { deleted, failures, listedBefore } = await run({ services: [leftOver] });
    expect(deleted).toEqual(["/services/leftover01"]);
    expect(failures).toBe(0);
    const [printed, before] = listedBefore;
    expect(printed?.join("\n")).toContain(suiteName);
    expect(before).toEqual([]);
});

test("without a confirmation, nothing is deleted", async () => {
    expect((await run({ services: [leftOver] }, { confirmed: false })).deleted).toEqual([]);
});

const kept: Record<string, object> = {
    "another name": { name: "orders" },
    "a name that only begins like those of the suite": { name: "clouddb-acceptance-results" },
    "a name of the suite within another name": { name: `my-${suiteName}` },
    "a name in other case": { name: suiteName.toUpperCase() },
    "an age of exactly an hour": { created: ago(hourMs) },
    "a creation in the future": { created: ago(-hourMs) },
    "no time of creation": { created: undefined },
    "an empty time of creation": { created: "" },
    "a time of creation without a zone": { created: "2026-03-01T09:00:00" },
    "another project": { project_id: "another001" },
    "the tag PROD": { metadata: { environment: "PROD" } },
    "the flag of a replica set": { forked_from: { is_standby: true } },
};

test.each(Object.entries(kept))("a service with %s is kept", async (_, changes) => {
    expect((await run({ services: [{ ...leftOver, ...changes }] })).deleted).toEqual([]);
});

test.each(Object.entries(kept))("a service that gets %s after the list is kept", async (_, changes) => {
    const { deleted, failures } = await run({ services: [leftOver], read: { ...leftOver, ...changes } });
    expect(deleted).toEqual([]);
    expect(failures).toBe(1);
});

test("nothing is deleted if the read returns another service", async () => {
    const { deleted } = await run({ services: [leftOver], read: { ...leftOver, service_id: "another001" } });
    expect(deleted).toEqual([]);
});

test("a clock of this computer that is a day ahead makes no service older", async () => {
    const services = [{ ...leftOver, created: ago(60_000) }];
    expect((await run({ services }, { ours: now + 24 * hourMs })).deleted).toEqual([]);
});

test("a clock of the API that is a day ahead makes no service older", async () => {
    const services = [{ ...leftOver, created: ago(60_000) }];
    const date = new Date(now + 24 * hourMs).toUTCString();
    expect((await run({ services, date })).deleted).toEqual([]);
});

test("without the clock of the API, nothing is deleted", async () => {
    await expect(run({ services: [leftOver], date: undefined })).rejects.toThrow("Date");
});

const set = {
    id: "set0000001",
    name: `${suiteName}-reports`,
    cpu_millis: 500,
    memory_gbs: 2,
    nodes: 1,
    status: "active",
};

test("the read replica sets of a service are deleted before it", async () => {
    const { deleted } = await run({ services: [leftOver], replicaSets: [set] });
    expect(deleted).toEqual(["/services/leftover01/replicaSets/set0000001", "/services/leftover01"]);
});

test("a service with a read replica set of somebody else is kept, with the set", async () => {
    const { deleted } = await run({ services: [leftOver], replicaSets: [set, { ...set, name: "reports" }] });
    expect(deleted).toEqual([]);
});

test("a service with a read replica set that cannot be read is kept", async () => {
    const replicaSets = [{ ...set, status: null }];
    const { deleted, failures } = await run({ services: [leftOver], replicaSets });
    expect(deleted).toEqual([]);
    expect(failures).toBe(1);
});

test("a VPC is listed and kept", async () => {
    const vpcs = [{ id: "17", name: suiteName, cidr: "10.0.0.0/24", region_code: "us-east-1" }];
    const { deleted, printed } = await run({ services: [], vpcs });
    expect(deleted).toEqual([]);
    expect(printed).toContain("17");
});

test("a rejected deletion is reported, and the next service is still deleted", async () => {
    const services = [leftOver, { ...leftOver, service_id: "leftover02" }];
    const { deleted, failures } = await run({ services, deletionStatus: 400 });
    expect(deleted).toEqual(["/services/leftover01", "/services/leftover02"]);
    expect(failures).toBe(2);
});
