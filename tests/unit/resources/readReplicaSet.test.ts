import { sessionsOn } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { linesOf } from "../../support/fixtures";

const { ReadReplicaSet, Service } = lifecycles;

async function replicas() {
    const world = await simulate();
    const { projectId } = world.emulator;
    const urn = (name: string) => `urn:pulumi:dev::shop::Thing::${name}`;
    const service = await Service.create({ projectId, __urn: urn("db"), name: "orders" }, world.run());
    const declared = { projectId, __urn: urn("reports"), name: "reports", serviceId: service.id, cpuMillis: 1000 };
    return { world, declared, ...(await ReadReplicaSet.create(declared, world.run())) };
}

test("a replica set without nodes and memory has one node and the memory of the documented ratio", async () => {
    const { declared, state } = await replicas();
    expect(state).toMatchObject({ nodes: 1, cpuMillis: 1000, memoryGbs: 4 });
    expect(ReadReplicaSet.describeCreation(declared)[0]).toContain("1000m/4GB");
    expect(linesOf(ReadReplicaSet.plan(state, declared))).toEqual([]);
});

test("the preview of a new set says that the API may choose the declared tag itself", () => {
    const declared = { serviceId: "abcdefghij", name: "reports", cpuMillis: 500, environment: "PROD" as const };
    expect(ReadReplicaSet.describeCreation(declared)).toEqual([
        'create read replica set "reports" of service "abcdefghij": 1 x 500m/2GB',
        "if the API has chosen another tag: environment PROD",
    ]);
});

test("memory that the program does not declare follows a change of the CPU", async () => {
    const { world, declared, id, state } = await replicas();
    const larger = { ...declared, cpuMillis: 2000 };
    expect(linesOf(ReadReplicaSet.plan(state, larger))).toEqual(["resize 1 x 1000m/4GB -> 1 x 2000m/8GB"]);
    expect(await ReadReplicaSet.update(id, state, larger, world.run())).toMatchObject({ memoryGbs: 8 });
});

test("the way out of a rejected number of nodes is a replacement that deletes first", async () => {
    const { declared, state } = await replicas();
    const [step] = ReadReplicaSet.plan(state, { ...declared, nodes: 2 }).steps;
    expect(step).toHaveProperty("ifUnsupported", expect.stringMatching(/nodes: 1.*deleteBeforeReplace.*--replace/));
});

test.each(["constructor", "toString", "__proto__"])(
    "a replica set with the unknown status %s is pending",
    async (status) => {
        const { world, declared } = await replicas();
        world.emulator.addFaults([`createReplicaSet:status,status=${status},ms=20000`]);
        const { state } = await ReadReplicaSet.create({ ...declared, name: "another" }, world.run());
        expect(state).toMatchObject({ status: "active" });
        expect(world.statusLines.join("\n")).toContain(status);
    },
);

test("an empty password is none, with a warning, as the absent one of a service in Go", async () => {
    const { world, declared, id, state } = await replicas();
    const given = { ...declared, password: "" };
    const calls = ReadReplicaSet.in(sessionsOn(world).startSession());
    expect(calls.check(given, {})).toMatchObject({
        problems: [],
        notices: [{ severity: "warn", text: expect.stringContaining("password") as string }],
    });
    const updated = await ReadReplicaSet.update(id, state, given, world.run());
    expect(updated).toHaveProperty("connectionString", expect.stringMatching(/^postgres:\/\/tsdbadmin@/));
    expect(calls.check({ ...declared, password: "  " }, {}).problems).toEqual([
        "password is empty; set a value or remove the property",
    ]);
});
