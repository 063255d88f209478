import type { Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import {
    labelsOf,
    network,
    operations,
    peering,
    projectId,
    replicaSet,
    respond,
    service,
    timed,
} from "../../support/fixtures";
import { managing } from "../../support/provider";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;
const second = 1_000;

const withoutCode = '{"message":"no such path"}';
const missing = [
    ["with a code", '{"code":"NOT_FOUND","message":"no such path"}'],
    ["without a code", withoutCode],
] as const;

/** The first requests of this operation have this answer. */
const first = (operation: string, times: number, status: number, body: string): Interceptor => {
    let sent = 0;
    return ({ operationId }, carryOut) =>
        operationId === operation && sent++ < times ? respond(status, body)({} as never, carryOut) : carryOut();
};

describe.each([404, 410])("a %i to a creation in what this run has created", (status) => {
    it.each(missing)("%s is repeated", async (_, body) => {
        const world = await simulate({ intercept: first("createPeering", 1, status, body) });
        const { id } = await Vpc.create(network, world.run());
        const others = [{ urn: "urn::vpc", ...managing({ type: "Vpc", projectId, id }) }];
        await Peering.create(peering(id), world.run({ others }));
        expect(operations(world)).toEqual(["createVpc", "createPeering"]);
    });
});

it("a 404 without a code to what an earlier run has created is not repeated, and says that it may have been created", async () => {
    const world = await simulate({ intercept: first("createPeering", 1, 404, withoutCode) });
    const { id } = await Vpc.create(network, world.run());
    const { error } = await timed(world, () => Peering.create(peering(id), world.run()));
    expect(error?.message).toContain("404");
    expect(operations(world)).toEqual(["createVpc"]);
});

it("a creation that a gateway answers with 404 after the API has carried it out is found, and not sent again", async () => {
    const { world, id } = await withService();
    world.fault.at(
        "createReplicaSet",
        async (_, carryOut) => {
            await carryOut();
            return { status: 404, headers: {}, body: withoutCode };
        },
        1,
    );
    const others = [{ urn: "urn::orders", ...managing({ type: "Service", projectId, id }) }];
    await ReadReplicaSet.create(replicaSet(id), world.run({ others }));
    expect(world.emulator.journal().filter(({ operationId }) => operationId === "createReplicaSet")).toHaveLength(1);
});

/** An API whose answers have other statuses of the same meaning. */
const others: Interceptor = async (_, carryOut) => {
    const response = await carryOut();
    return { ...response, status: { 404: 410, 409: 423, 429: 425 }[response.status] ?? response.status };
};

describe("an API with the statuses 410, 423 and 425", () => {
    it("a service is created, changed, deleted, and missing in a refresh", async () => {
        const { world, id, state, update } = await withService(service(), { intercept: others });
        await update(service({ cpuMillis: 1000, memoryGbs: 4 }));
        await Service.delete(id, state, world.run());
        expect(operations(world)).toEqual(["resizeService", "deleteService"]);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        await Service.delete(id, state, world.run());
        expect(world.warnings.join()).toContain("not found");
    });

    it("a service that is busy is waited for", async () => {
        const { world, update } = await withService();
        world.fault.at("resizeService", respond(423, '{"code":"LOCKED","message":"it is busy"}'), 2);
        await update(service({ cpuMillis: 1000, memoryGbs: 4 }));
        expect(operations(world)).toEqual(["resizeService"]);
    });

    it("a 425 in any form is repeated, and has not happened", async () => {
        const world = await simulate();
        world.emulator.addFaults(["createService#1x2:425"]);
        await Service.create(service(), world.run());
        world.fault.at("createVpc", respond(425, "<html>too early</html>"), 2);
        await Vpc.create(network, world.run());
        expect(operations(world)).toEqual(["createService", "createVpc"]);
    });

    it("the errors have the ways out of the common statuses", async () => {
        const world = await simulate();
        const failing = async (status: number) => {
            world.fault.at("createVpc", respond(status, '{"code":"NO","message":"not now"}'));
            const { error } = await timed(world, () => Vpc.create(network, world.run({ timeMs: 3 * second })));
            world.fault.over();
            return labelsOf(error);
        };
        expect(await failing(423)).toEqual(await failing(409));
        expect(await failing(410)).toEqual(await failing(404));
    });
});

it("a 409 of createPeering is repeated for 40 s, and then fails with the reason of the API", async () => {
    const rejection = '{"code":"BUSY","message":"the VPC is being changed"}';
    const world = await simulate({ intercept: first("createPeering", 2, 409, rejection) });
    const { id } = await Vpc.create(network, world.run());
    await Peering.create(peering(id), world.run());
    expect(operations(world)).toEqual(["createVpc", "createPeering"]);

    world.fault.at("createPeering", respond(409, rejection));
    const another = { ...peering(id), peerVpcId: "vpc-2" };
    const { error, tookMs } = await timed(world, () => Peering.create(another, world.run()));
    expect(error?.message).toContain("createPeering was rejected: the VPC is being changed");
    expect(tookMs).toBeGreaterThanOrEqual(40 * second);
    expect(tookMs).toBeLessThan(60 * second);
});
