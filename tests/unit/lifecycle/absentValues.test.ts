import type { Interceptor } from "../../../emulator";
import { CloudDbError } from "../../../provider/api/callErrors";
import { PartialFailure } from "../../../provider/lifecycle/errors";
import { valueOf } from "../../../provider/base/fields";
import { observed } from "../../../provider/resources/service/outputs";
import { failureOf } from "../../support/client";
import { call, labelsOf, loseResponse, network, operations, peering, projectId } from "../../support/fixtures";
import { replicaSet, saying, service, timed } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

/** Answers errors without a code. */
const codeless: Interceptor = async (_, carryOut) => {
    const answer = await carryOut();
    const { message } = (answer.status >= 400 ? JSON.parse(answer.body) : {}) as { message?: string };
    return answer.status >= 400 ? { ...answer, body: JSON.stringify({ message }) } : answer;
};

it("a deletion, and a read of what somebody has deleted, end if errors have no code", async () => {
    const world = await simulate({ intercept: codeless });
    const [one, other] = [
        await Service.create(service({ name: "one" }), world.run()),
        await Service.create(service({ name: "other" }), world.run()),
    ];
    const { tookMs, error } = await timed(world, () => Service.delete(one.id, one.state, world.run()));
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(120_000);
    expect(await Service.read(one.id, one.state, world.run())).toBeUndefined();
    expect(await Service.read(other.id, other.state, world.run())).toBeDefined();
});

it("a service without CPU is a shared one, and can be created", async () => {
    const shared = saying((item) => ({ ...item, resources: [{ spec: {} }] }));
    const world = await simulate({ intercept: shared });
    const { state } = await Service.create(service({ cpuMillis: "shared", memoryGbs: "shared" }), world.run());
    expect(state).toMatchObject({ cpuMillis: "shared", memoryGbs: "shared" });
});

it.each([[[]], [[{}]], [[{ id: "1" }]]])(
    "no step follows from the resources %j, which show no size",
    async (resources) => {
        const { world, id, state } = await withService(service({ cpuMillis: 500 }));
        world.fault.at(
            "getService",
            saying((item) => ({ ...item, resources })),
        );
        const read = await Service.read(id, state, world.run());
        expect(read?.state).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
        expect(Service.plan((read ?? { state }).state, service({ cpuMillis: 500 })).steps).toEqual([]);
        const unknown = { ...state, cpuMillis: undefined, memoryGbs: undefined } as never as typeof state;
        expect(Service.plan(unknown, service({ cpuMillis: 500 }))).toMatchObject({ steps: [], replace: [] });
    },
);

it("a run that follows an interrupted resize reads on until the size is shown, also long after it", async () => {
    const large = service({ cpuMillis: 1000 });
    const { world, id, state } = await withService(large);
    world.emulator.addFaults(["resizeService#1:status,status=CONFIGURING,ms=100000"]);
    const sizeless = saying((item) => ({ ...item, resources: [] }));
    world.fault.at("getService", sizeless);
    const small = service({ cpuMillis: 500 });
    const stopped = await failureOf(Service.update(id, state, small, world.run({ timeMs: 5_000 })), PartialFailure);
    world.fault.over();
    world.clock.advance(86_400_000);
    world.fault.at("getService", sizeless, 2);
    const next = await Service.update(id, stopped.state as typeof state, large, world.run());
    expect(next).toMatchObject({ cpuMillis: 1000 });
    expect(world.emulator.snapshot().services).toMatchObject([{ resources: [{ spec: { cpu_millis: 1000 } }] }]);
});

it("an attach is complete if the host appears without the id, and the state has the id", async () => {
    const { world, id, state } = await withService();
    const { id: vpcId } = await world.emulator.createVpc();
    world.fault.at(
        "getService",
        saying(({ vpc_endpoint: endpoint, ...item }) => {
            const { host } = (endpoint ?? {}) as { host?: string };
            return host === undefined ? item : { ...item, vpcEndpoint: undefined, vpc_endpoint: { host } };
        }),
    );
    const attached = await Service.update(id, state, service({ vpcId }), world.run());
    expect(attached).toMatchObject({ vpcId });
    expect((await Service.read(id, attached, world.run()))?.state).toMatchObject({ vpcId });
});

it("a pooler whose endpoint has no value is none, and a service without a pooler can be created", async () => {
    const endpoint = { host: "", port: 0 };
    const world = await simulate({ intercept: saying((item) => ({ connection_pooler: { endpoint }, ...item })) });
    const { state } = await Service.create(service(), world.run());
    expect(state).toMatchObject({ connectionPooler: false });
});

it("a creation in another region than the declared one fails, with both, and the state has what the API shows", async () => {
    const world = await simulate({ intercept: saying((item) => ({ ...item, region_code: "eu-west-1" })) });
    const error = await failureOf(Service.create(service({ regionCode: "us-east-1" }), world.run()), PartialFailure);
    expect(error.message).toContain('regionCode "eu-west-1" -> "us-east-1"');
    expect(error.state).toMatchObject({ regionCode: "eu-west-1" });
    expect(operations(world)).toEqual(["createService"]);
});

it("a creation waits for the host of the service, within its time limit", async () => {
    const world = await simulate({ intercept: saying((item) => ({ ...item, endpoint: { host: "", port: 0 } })) });
    const { error, tookMs } = await timed(world, () => Service.create(service(), world.run()));
    expect(tookMs).toBeGreaterThan(59 * 60_000);
    expect(error?.message).toContain("host is not shown yet");
});

it.each(["FAILED", "ERROR"])("the status %s ends a wait at once, and is read again by the next run", async (status) => {
    let isEnded = true;
    const intercept = saying((item) => (isEnded ? { ...item, status } : item), 1);
    const world = await simulate({ intercept });
    const { error, tookMs } = await timed(world, () => Service.create(service(), world.run()));
    expect(error?.message).toContain(`failed (${status})`);
    expect(tookMs).toBeLessThan(60_000);
    const { id, state } = error as PartialFailure;
    const plan = Service.plan(state as never, service());
    expect(plan.replace).toEqual([]);
    expect((await Service.read(id, state as never, world.run()))?.state).toMatchObject({ status });
    isEnded = false;
    expect(await Service.update(id, state as never, service(), world.run())).toMatchObject({ status: "READY" });
});

it.each(["FAILED", "ERROR"])("the status %s does not prevent a deletion", async (status) => {
    let isShown = false;
    const world = await simulate({
        intercept: saying((item) => (isShown && item.status === "READY" ? { ...item, status } : item)),
    });
    const { id, state } = await Service.create(service(), world.run());
    isShown = true;
    const failed = (await Service.read(id, state, world.run()))?.state ?? state;
    expect(failed).toMatchObject({ status });
    await Service.delete(id, failed, world.run());
    expect(world.emulator.snapshot().services).toEqual([]);
});

describe("a declared value that no read of an existing resource shows", () => {
    const warning = "nothing confirms a declared value";

    it.each([
        ["regionCode", "region_code"],
        ["cidr", "cidr"],
    ] as const)("is not the state of an adoption: %s of a VPC", async (input, field) => {
        let hidden: object = { [field]: "" };
        const world = await simulate({ intercept: saying((item) => ({ ...item, ...hidden })) });
        const { id: existingId } = await world.emulator.createVpc();
        const declared = { ...network, existingId };
        await Vpc.previewCreation(declared, world.run());
        const { id, state } = await Vpc.create(declared, world.run());
        expect(world.warnings).toEqual(Array(2).fill(expect.stringContaining(`${input}; until`)));
        expect(state).toMatchObject({ [input]: undefined });
        // Neither a plan nor an update takes the declared value for the real one.
        expect(Vpc.plan(state, declared)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
        const renamed = await Vpc.update(id, state, { ...declared, name: "renamed" }, world.run());
        expect(renamed).toMatchObject({ name: "renamed", [input]: undefined });
        hidden = {};
        const seen = await Vpc.read(id, renamed, world.run());
        const real = await call(world, "getVpc", { vpc_id: id });
        expect(seen?.state).toMatchObject({ [input]: real[field] });
    });

    it("is not the state of an adoption: the other side of a peering, and the size of a service", async () => {
        const world = await simulate({
            intercept: saying((item) => ({
                ...item,
                ...("peer_account_id" in item && { peer_account_id: "" }),
                ...("resources" in item && { resources: [] }),
            })),
        });
        const { id: vpcId } = await world.emulator.createVpc();
        const made = await Peering.create(peering(vpcId), world.run());
        expect(world.warnings).toEqual([]);
        const adopted = await Peering.create({ ...peering(vpcId), existingId: made.id }, world.run());
        expect(adopted.state).toMatchObject({ peerAccountId: undefined, peerVpcId: "vpc-1" });
        const { id: existingId } = await world.emulator.createService();
        const { state } = await Service.create(service({ existingId, cpuMillis: 4000, memoryGbs: 16 }), world.run());
        expect(state).toMatchObject({ cpuMillis: undefined });
        expect(world.warnings).toEqual([
            expect.stringContaining("peerAccountId; until"),
            expect.stringContaining("cpuMillis and memoryGbs; until"),
        ]);
    });

    it("is read again by an adoption before it plans: the resize is sent in the same run", async () => {
        let reads = 0;
        const world = await simulate({
            intercept: saying((item) => ({ ...item, ...((reads += 1) < 4 && { resources: [{}] }) })),
        });
        const { id: existingId } = await world.emulator.createService();
        reads = 0;
        const declared = service({ existingId, cpuMillis: 1000, memoryGbs: 4 });
        const { state } = await Service.create(declared, world.run());
        expect(state).toMatchObject({ cpuMillis: 1000, memoryGbs: 4 });
        expect(operations(world)).toContain("resizeService");
        expect(world.warnings).toEqual([]);
    });

    it("fails an adoption if a later read shows another one", async () => {
        let reads = 0;
        const world = await simulate({
            intercept: saying((item) => ({
                ...item,
                region_code: (reads += 1) < 2 ? "" : "eu-west-1",
                status: reads < 3 ? "UPGRADING" : "READY",
            })),
        });
        const { id: existingId } = await world.emulator.createService();
        reads = 0;
        const error = await failureOf(
            Service.create(service({ existingId, regionCode: "us-east-1" }), world.run()),
            PartialFailure,
        );
        expect(error.message).toContain(
            'was adopted with another value than the declared one (regionCode "eu-west-1" -> ',
        );
        expect(labelsOf(error)).toEqual(["Keep it", "Adopt another one"]);
        expect(error.state).toMatchObject({ regionCode: "eu-west-1", record: { interruption: "adoption" } });
    });

    it("is said by an import", async () => {
        const world = await simulate({ intercept: saying((item) => ({ ...item, region_code: "" })) });
        const { id } = await world.emulator.createVpc();
        const { state, inputs } = await Vpc.import(id, { projectId }, world.run());
        expect([state, inputs].map((values) => valueOf(values, "regionCode"))).toEqual([undefined, undefined]);
        expect(world.warnings).toEqual([expect.stringContaining(warning)]);
    });
});

describe("a creation whose response is lost, and a new resource that does not show by what it would be recognized", () => {
    const doubt = "This run or somebody else created";

    it("may be the new service", async () => {
        const world = await simulate({ intercept: saying((item) => ({ ...item, name: "" })) });
        world.fault.at("createService", loseResponse);
        await expect(Service.create(service(), world.run())).rejects.toThrow(doubt);
    });

    it.each([
        ["peer_vpc_id", {}, true],
        ["peer_account_id", { peer_region_code: "eu-west-1" }, false],
    ])("may be the new peering, unless the rest is another one's: %s, %j", async (field, rest, isOurs) => {
        const world = await simulate({ intercept: saying((item) => ({ ...item, [field]: "", ...rest })) });
        const { id } = await world.emulator.createVpc();
        world.fault.at("createPeering", loseResponse);
        const error = await failureOf(Peering.create(peering(id), world.run()), CloudDbError);
        expect(error.message.includes(doubt)).toBe(isOurs);
    });
});

it("a fork whose parent is not shown is not taken for a replica set, and one without any parent is no fork", async () => {
    const said = [{ is_standby: false }, { project_id: projectId }, { service_id: "parent" }];
    const path = { project_id: projectId };
    const origins = said.map((forked_from) => observed.forkedFrom.read({ forked_from } as never, path, {}));
    expect(origins).toEqual([null, undefined, { serviceId: "parent", projectId }]);
    const { world, id, state } = await withService();
    world.fault.at(
        "getService",
        saying((item) => ({ ...item, forked_from: { is_standby: false } })),
    );
    expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ forkedFrom: undefined });
});

it("a response to the creation of a replica set that does not show its name is that of the set", async () => {
    const { world, id } = await withService();
    let answers = 0;
    world.fault.at(
        "createReplicaSet",
        saying((item) => {
            answers += 1;
            return { ...item, name: "" };
        }),
    );
    const { state } = await ReadReplicaSet.create({ ...replicaSet(id), name: "readers" }, world.run());
    expect(answers).toBe(1);
    expect(state.name).toBe("readers");
    expect(operations(world)).toContain("createReplicaSet");
});
