import type { Interceptor } from "../../../emulator";
import { PartialFailure } from "../../../provider/lifecycle/errors";
import { failureOf } from "../../support/client";
import { operations, service, timed } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

type Fields = Readonly<Record<string, unknown>>;

/** Answers with this change of each service. */
const saying =
    (change: (service: Fields) => object, from = 0): Interceptor =>
    async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        if (answer.status >= 300 || !/Service$|Services$/.test(operationId) || answer.body === "") {
            return answer;
        }
        const body = JSON.parse(answer.body) as Fields | Fields[];
        from -= 1;
        const said = Array.isArray(body) ? body.map(change) : change(body);
        return from >= 0 ? answer : { ...answer, body: JSON.stringify(said) };
    };

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

it("a pooler whose endpoint has no host yet exists", async () => {
    const { world, id, state } = await withService();
    world.fault.at(
        "getService",
        saying((item) =>
            item.connection_pooler ? { ...item, connection_pooler: { endpoint: { host: "", port: 0 } } } : item,
        ),
    );
    const updated = await Service.update(id, state, service({ connectionPooler: true }), world.run());
    expect(updated).toMatchObject({ connectionPooler: true, poolerPort: undefined });
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
