import { inspect } from "node:util";
import { startEmulator } from "../../../emulator";
import { longMs, startWorld } from "../../support/emulator";

it("an emulator has the environment of a provider, and closes at the end of its block", async () => {
    const emulator = await startEmulator({ token: "canary-token", speed: 100 });
    expect(emulator.env).toEqual({
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: emulator.projectId,
        CLOUDDB_ACCESS_TOKEN: "canary-token",
        CLOUDDB_LIST_LAG_MS: "300",
    });
    await emulator[Symbol.asyncDispose]();
    await expect(fetch(emulator.url)).rejects.toThrow();
});

it("a journal entry prints its bodies and the faults that hit it", async () => {
    const { api, emulator, project } = await startWorld({ faults: ["createVpc:503", "GET#1+:delay,ms=5"] });
    await api("POST", `${project}/vpcs`, { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" });
    await api("GET", `${project}/vpcs`);
    await api("GET", `${project}/services`);
    expect(emulator.journal().map(({ faults }) => faults)).toEqual([
        ["createVpc:503"],
        ["GET#1+:delay,ms=5"],
        ["GET#1+:delay,ms=5"],
    ]);
    const printed = inspect(emulator.journal()[0]);
    expect(["10.0.0.0/24", "FAULT", "createVpc:503"].filter((part) => !printed.includes(part))).toEqual([]);
});

it("VPCs, peerings and read replica sets are created with one call each, without the journal", async () => {
    const { emulator } = await startWorld({ peerings: "acceptance" });
    const [one, other] = [await emulator.createVpc(), await emulator.createVpc({ name: "other" })];
    expect([one, other]).toMatchObject([{ cidr: "10.0.0.0/16" }, { cidr: "10.1.0.0/16", name: "other" }]);
    const peering = await emulator.createPeering(one, { peer_vpc_id: "vpc-1" });
    expect(emulator.snapshot().peerings).toMatchObject([{ id: peering.id, vpc_id: one.id, peer_vpc_id: "vpc-1" }]);
    await emulator.waitFor(peering, "pending acceptance");
    emulator.acceptPeering(peering.id);
    await emulator.waitFor(peering, "active");
    expect(emulator.journal()).toEqual([]);
    await expect(emulator.createVpc({ cidr: "10.0.0.0/24" })).rejects.toThrow("overlaps");
});

it("waitFor resolves when a service has the status, and fails if it cannot get it", async () => {
    const { api, clock, emulator, project } = await startWorld();
    const { body } = await api<{ service_id: string }>("POST", `${project}/services`, { name: "db" });
    const before = clock.now();
    await emulator.waitFor(body.service_id, "READY");
    expect(clock.now() - before).toBeLessThan(longMs);
    emulator.setServiceStatus(body.service_id, "UNSTABLE");
    await emulator.waitFor(body.service_id, "UNSTABLE");
    await expect(emulator.waitFor(body.service_id, "READY")).rejects.toThrow("UNSTABLE");
    await expect(emulator.waitFor("nosuchone1", "READY")).rejects.toThrow("resource");
});

it.each([
    ["a misspelled status", "aktive", undefined, 300_000],
    ["a peering that nobody accepts", "active", { limitMs: 60_000 }, 60_000],
])("waitFor fails if the status never comes: %s", async (_, status, options, limitMs) => {
    const { clock, emulator } = await startWorld({
        peerings: "acceptance",
        durations: { peeringProvision: 400_000 },
    });
    const { id } = await emulator.createPeering(await emulator.createVpc());
    const before = clock.now();
    await expect(emulator.waitFor(id, status, options)).rejects.toThrow(
        new RegExp(`${id}.*pending acceptance.* ${limitMs / 1_000} s.*${status}`),
    );
    // A change in progress does not count.
    expect(clock.now() - before).toBeCloseTo(400_000 + limitMs, -2);
});
