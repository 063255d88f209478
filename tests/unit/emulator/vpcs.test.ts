import { defaultDurations, type EmulatorOptions } from "../../../emulator";
import type { Wire } from "../../../emulator/wire";
import { longMs, startWorld } from "../../support/emulator";

it("a VPC must not overlap another VPC of the same project, but can be adjacent to it", async () => {
    const { api, project, vpc } = await startWorld();
    const { id } = await vpc({ cidr: "10.0.0.0/16" });
    for (const cidr of ["10.0.0.0/16", "10.0.255.0/24", "10.0.0.0/8"]) {
        const answer = await api("POST", `${project}/vpcs`, { name: "net", cidr, region_code: "eu-west-1" });
        expect(answer.status).toBe(400);
        expect(answer.body.message).toContain(id);
    }
    await vpc({ cidr: "10.1.0.0/16" });
});

it("a service can only be attached to one VPC, and only be detached from that one", async () => {
    const { api, clock, emulator, project, readyService, vpc } = await startWorld();
    const { service_id: service } = await readyService();
    const [{ id }, { id: other }] = [await vpc(), await vpc({ cidr: "10.0.1.0/24" })];
    const post = (what: string, vpc_id: string) => api(`POST`, `${project}/services/${service}/${what}`, { vpc_id });
    expect((await post("detachFromVPC", id)).status).toBe(409);
    await post("attachToVPC", id);
    clock.advance(longMs);
    const [attached] = emulator.snapshot().services;
    expect(attached).toHaveProperty("vpcEndpoint", attached?.vpc_endpoint);
    expect([(await post("attachToVPC", other)).status, (await post("attachToVPC", id)).status]).toEqual([409, 409]);
    expect((await post("detachFromVPC", other)).body.message).toContain(id);
});

describe("peerings", () => {
    const input = { peer_account_id: "123456789012", peer_region_code: "us-west-2", peer_vpc_id: "vpc-0a1b" };

    const start = async (options: EmulatorOptions = {}) => {
        const world = await startWorld(options);
        const path = `${world.project}/vpcs/${(await world.vpc()).id}/peerings`;
        const made = await world.api<Wire["Peering"]>("POST", path, input);
        expect(made.status).toBe(201);
        const get = async () => (await world.api<Wire["Peering"]>("GET", `${path}/${made.body.id}`)).body;
        return { ...world, path, made: made.body, get };
    };

    it("a peering first receives its provisioned id and later becomes active", async () => {
        const { clock, get, made, path, api } = await start();
        expect(made).toMatchObject(input);
        expect(made.id).toMatch(/^\d+$/);
        expect(made).not.toHaveProperty("provisioned_id");
        clock.advance(defaultDurations.peeringProvision);
        const provisioned = await get();
        expect(provisioned.provisioned_id).toMatch(/^pcx-/);
        expect(provisioned.status).not.toBe("active");
        clock.advance(defaultDurations.peeringActivate);
        expect(await get()).toEqual({ ...provisioned, status: "active" });
        expect((await api<Wire["Peering"][]>("GET", path)).body).toEqual([await get()]);
    });

    it("a peering waits for acceptance in the mode acceptance, and can be accepted before it is provisioned", async () => {
        const { api, clock, emulator, get, made, path } = await start({ peerings: "acceptance" });
        clock.advance(longMs);
        const waiting = await get();
        expect(waiting.status).toBe("pending acceptance");
        emulator.acceptPeering(made.id);
        expect(await get()).toEqual({ ...waiting, status: "active" });
        const { body: early } = await api<Wire["Peering"]>("POST", path, input);
        emulator.acceptPeering(early.id);
        const { body: accepted } = await api<Wire["Peering"]>("GET", `${path}/${early.id}`);
        expect([accepted.status, accepted.provisioned_id]).toEqual(["active", expect.stringMatching(/^pcx-/)]);
    });

    it("a peering is deleted immediately, and only found in its own VPC", async () => {
        const { api, made, path, project, vpc } = await start();
        const other = await vpc({ cidr: "10.9.0.0/24" });
        expect((await api("GET", `${project}/vpcs/${other.id}/peerings/${made.id}`)).status).toBe(404);
        expect((await api("DELETE", `${path}/${made.id}`)).status).toBe(204);
        expect((await api("GET", `${path}/${made.id}`)).status).toBe(404);
    });
});

it.each([true, false])(
    "each change of a service's VPC moves all endpoints of it and its replica sets, with the option movingEndpoints (%s)",
    async (movingEndpoints) => {
        const world = await startWorld({ movingEndpoints });
        const { activeReplicaSet, api, clock, emulator, project, readyService, service, vpc } = world;
        const { service_id: id } = await readyService();
        const path = `${project}/services/${id}`;
        for (const poolerOf of [path, `${path}/replicaSets/${(await activeReplicaSet(id)).id}`]) {
            await api("POST", `${poolerOf}/enablePooler`);
        }
        const endpoints = async (): Promise<unknown[]> => {
            const shown = await service(id);
            return [shown, ...(shown.read_replica_sets ?? [])]
                .flatMap((one) => [one.endpoint, one.connection_pooler?.endpoint])
                .flatMap((one) => [one?.host, one?.port]);
        };
        const [first, second] = [await vpc(), await vpc({ cidr: "10.1.0.0/24" })];
        let before = await endpoints();
        expect(new Set(before).size).toBe(8);
        for (const [{ id: vpcId }, operation] of [
            [first, "attachToVPC"],
            [first, "detachFromVPC"],
            [second, "attachToVPC"],
            [second, undefined],
        ] as const) {
            if (operation === undefined) {
                emulator.deleteVpc(vpcId);
            } else {
                expect((await api("POST", `${path}/${operation}`, { vpc_id: vpcId })).status).toBe(202);
                clock.advance(longMs);
            }
            const now = await endpoints();
            expect(now.map((part, at) => part === before[at])).toEqual(before.map(() => !movingEndpoints));
            before = now;
        }
    },
);
