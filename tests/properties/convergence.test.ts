import { valueOf } from "../../provider/base/fields";
import fc from "fast-check";
import { lifecycles } from "../support/lifecycles";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { ServiceInputs } from "../../provider/resources/service/service";
import type { ResourceType } from "../../provider/resources";
import { defaultsOf, propertiesOf, untypedKinds } from "../support/cases";
import { filled, outside } from "../support/cases/kind";
import type { Values } from "../support/cases/property";
import { inputsOf, propertyRuns } from "../support/random";
import { rejectedOutputs } from "../support/passwords";
import { simulate, type Simulation } from "../support/simulation";
import { linesOf } from "../support/fixtures";

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`;

type ReplicaSet = Omit<ReadReplicaSetInputs, "serviceId">;

async function network(world: Simulation, name: string, cidr: string): Promise<string> {
    const { id } = await lifecycles.Vpc.create(
        { projectId: world.emulator.projectId, __urn: urn(name), cidr, regionCode: "us-east-1" },
        world.run(),
    );
    return id;
}

/** The expected outputs after an update from an earlier state: an undeclared input has its default, or keeps its value. */
function expected(type: ResourceType, declared: Values, before: Values = {}): Values {
    const { cpuMillis, memoryGbs } = declared;
    const known = { ...before, ...defaultsOf(type), ...declared };
    const updated = propertiesOf(type).filter(([, { announced, shown }]) => announced && shown);
    return {
        ...Object.fromEntries(updated.flatMap(([name]) => (name in known ? [[name, known[name]]] : []))),
        ...(cpuMillis === undefined ? {} : { memoryGbs: memoryGbs ?? Number(cpuMillis) / 250 }),
        ...(memoryGbs === undefined ? {} : { cpuMillis: cpuMillis ?? Number(memoryGbs) * 250 }),
        status: untypedKinds[type].settled(declared),
    };
}

it("a plan updates a service from any state to any other, and the next plan is empty", async () => {
    const world = await simulate();
    const { projectId } = world.emulator;
    const vpcs = [await network(world, "a", "10.0.0.0/16"), await network(world, "b", "10.1.0.0/16")] as const;
    const { Service } = lifecycles;
    let count = 0;
    const states = inputsOf("Service").map((inputs): ServiceInputs => filled(inputs, { Vpc: vpcs }));
    await fc.assert(
        fc.asyncProperty(states, states, async (first, second) => {
            const hidden = { projectId, __urn: urn(`service-${count++}`) };
            const before = { ...first, ...hidden };
            const made = await Service.create(before, world.run());
            expect(made.state).toMatchObject(expected("Service", { ...first }));
            expect(linesOf(Service.plan(made.state, before))).toEqual([]);
            expect(rejectedOutputs(world.emulator, made.id, made.state)).toEqual([]);

            const after = { ...second, ...hidden };
            const planned = Service.plan(made.state, after).steps.map(({ call }) => call.operation);
            world.changes();
            const next = await Service.update(made.id, made.state, after, world.run());
            expect(world.changes().map((line) => line.split(" ")[0])).toEqual(planned);
            expect(next).toMatchObject(expected("Service", { ...second }, { ...made.state }));
            expect(linesOf(Service.plan(next, after))).toEqual([]);
            const password = passwordAfter(first, second);
            expect(password === undefined || world.emulator.passwordMatches(made.id, password)).toBe(true);
            expect(rejectedOutputs(world.emulator, made.id, next)).toEqual([]);
            expect(JSON.stringify([made.state, next])).not.toContain(outside);
            expect(isOutside(first, second)).toBe(valueOf(next, "currentPassword") === "");

            const seen = await Service.read(made.id, next, world.run());
            expect(seen?.state).toEqual(next);
            expect(seen?.inputs).toEqual({ ...withoutUndefined(after), ...passwordIfDeclared(second) });
            await Service.delete(made.id, { ...next, deletionProtection: false }, world.run());
            expect(world.emulator.snapshot().services).toEqual([]);
        }),
        { numRuns: propertyRuns, seed: 4 },
    );
});

it("a plan updates a read replica set from any state to any other, and the next plan is empty", async () => {
    const world = await simulate();
    const { projectId } = world.emulator;
    const { ReadReplicaSet, Service } = lifecycles;
    const password = "password-of-the-parent";
    const parent = await Service.create({ projectId, __urn: urn("parent"), password }, world.run());
    let count = 0;
    const states = inputsOf("ReadReplicaSet") as fc.Arbitrary<ReplicaSet>;
    await fc.assert(
        fc.asyncProperty(states, states, async (first, second) => {
            const hidden = { projectId, serviceId: parent.id, __urn: urn(`set-${count++}`) };
            const before = { password, ...first, ...hidden };
            const made = await ReadReplicaSet.create(before, world.run());
            expect(first.password === undefined ? rejectedOutputs(world.emulator, parent.id, made.state) : []).toEqual(
                [],
            );
            expect(made.state).toMatchObject(expected("ReadReplicaSet", first));
            const after = { ...second, ...hidden };
            const planned = ReadReplicaSet.plan(made.state, after).steps.map(({ call }) => call.operation);
            world.changes();
            const next = await ReadReplicaSet.update(made.id, made.state, after, world.run());
            expect(world.changes().map((line) => line.split(" ")[0])).toEqual(planned);
            expect(next).toMatchObject(expected("ReadReplicaSet", second, { ...made.state }));
            expect(linesOf(ReadReplicaSet.plan(next, after))).toEqual([]);
            await ReadReplicaSet.delete(made.id, { ...next, deletionProtection: false }, world.run());
        }),
        { numRuns: propertyRuns, seed: 4 },
    );
});

it("a plan changes what a peering waits for without a request, and the next plan is empty", async () => {
    const world = await simulate();
    const { projectId } = world.emulator;
    const { Peering } = lifecycles;
    const vpcId = await network(world, "a", "10.0.0.0/16");
    const waits = fc.record(
        { waitFor: fc.constantFrom("active" as const, "provisioned" as const) },
        { requiredKeys: [] },
    );
    let count = 0;
    await fc.assert(
        fc.asyncProperty(waits, waits, async (first, second) => {
            const peer = { peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: `vpc-${count++}` };
            const hidden = { projectId, deletionProtection: false, __urn: urn(peer.peerVpcId), vpcId, ...peer };
            const made = await Peering.create({ ...first, ...hidden }, world.run());
            world.changes();
            const next = await Peering.update(made.id, made.state, { ...second, ...hidden }, world.run());
            expect(world.changes()).toEqual([]);
            expect(second.waitFor === "provisioned" || next.status === "active").toBe(true);
            expect(Peering.plan(next, { ...second, ...hidden })).toEqual({
                replace: [],
                steps: [],
                stateChanges: [],
            });
            await Peering.delete(made.id, next, world.run());
        }),
        { numRuns: propertyRuns, seed: 4 },
    );
    expect(world.emulator.snapshot().peerings).toEqual([]);
});

it("a plan renames a VPC to any name, and the next plan is empty", async () => {
    const world = await simulate();
    const { projectId } = world.emulator;
    const { Vpc } = lifecycles;
    const hidden = { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" };
    const names = fc.record(
        { name: fc.string({ minLength: 1, maxLength: 40 }).filter((name) => name.trim() !== "") },
        { requiredKeys: [] },
    );
    const { id, ...made } = await Vpc.create(hidden, world.run());
    let { state } = made;
    await fc.assert(
        fc.asyncProperty(names, async (declared) => {
            const kept = state.name;
            state = await Vpc.update(id, state, { ...hidden, ...declared }, world.run());
            expect(state.name).toBe(declared.name ?? kept);
            expect(linesOf(Vpc.plan(state, { ...hidden, ...declared }))).toEqual([]);
        }),
        { numRuns: propertyRuns, seed: 4 },
    );
});

function withoutUndefined(values: object): object {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The password in force after both programs: one outside of the state is read only if its version changes. */
function passwordAfter(first: ServiceInputs, second: ServiceInputs): string | undefined {
    const of = ({ password, passwordVariable = "" }: ServiceInputs) => password ?? process.env[passwordVariable];
    const isSame = second.passwordVersion !== undefined && second.passwordVersion === first.passwordVersion;
    return isSame ? of(first) : (of(second) ?? of(first));
}

/** Whether the password that is in force was outside of the state. */
function isOutside(first: ServiceInputs, second: ServiceInputs): boolean {
    const declared = second.password === undefined && second.passwordVersion === undefined ? first : second;
    return declared.passwordVersion !== undefined;
}

function passwordIfDeclared({ password }: ServiceInputs): object {
    return password === undefined ? {} : { password };
}
