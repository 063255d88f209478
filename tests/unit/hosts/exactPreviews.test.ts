import fc from "fast-check";
import { unknown } from "../../../provider/inputs/unknown";
import type { ResourceType } from "../../../provider/resources";
import { propertyRuns, replicaSetStates, serviceStates } from "../../support/arbitraries";
import { dynamicHostIn, nativeHostIn, type Entry, type TestHost } from "../../support/hosts";
import { closeSimulations, simulate, type Simulation } from "../../support/simulation";

afterEach(closeSimulations);

type Values = Record<string, unknown>;

/** The resources that the programs refer to. */
interface Scene {
    readonly world: Simulation;
    readonly host: TestHost;
    readonly vpcIds: readonly string[];
    readonly parents: readonly string[];
    /** VPCs without services and peerings, so that a replacement can delete them. */
    readonly emptyVpcs: readonly string[];
    readonly peerings: readonly string[];
    readonly sets: readonly string[];
}

/** A resource type, and random inputs of it. References are numbers, which `inputsIn` resolves. */
interface Kind {
    readonly type: ResourceType;
    readonly inputs: fc.Arbitrary<Values>;
    readonly inputsIn: (given: Values, scene: Scene) => Values;
    /** The properties that may be unknown in a preview. */
    readonly unknowns: readonly string[];
}

/** What happens to the resource between its creation and the preview. */
type Event = "nothing" | "refresh" | "upgrade" | "failedUpdate" | "failedCreation";

const regions = ["us-east-1", "eu-west-1"];
const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };

/** The inputs of a random program, with the chosen one of these ids for each reference. */
const pick = (ids: readonly string[], value: unknown) =>
    typeof value === "number" ? ids[value % ids.length] : undefined;

const kinds: readonly Kind[] = [
    {
        type: "Vpc",
        inputs: fc.record(
            {
                name: fc.constantFrom("one", "other"),
                cidr: fc.constantFrom("10.8.0.0/16", "10.9.0.0/16"),
                regionCode: fc.constantFrom(...regions),
                deletionProtection: fc.constant(false),
            },
            { requiredKeys: ["cidr", "regionCode"] },
        ),
        inputsIn: (given) => given,
        unknowns: ["name", "cidr", "regionCode", "deletionProtection"],
    },
    {
        type: "Peering",
        inputs: fc.record(
            {
                vpc: fc.nat(1),
                peerVpcId: fc.constantFrom("vpc-1", "vpc-2"),
                waitFor: fc.constantFrom("active", "provisioned"),
            },
            { requiredKeys: ["vpc", "peerVpcId"] },
        ),
        inputsIn: ({ vpc, ...given }, { vpcIds }) => ({ ...far, ...given, vpcId: pick(vpcIds, vpc) }),
        unknowns: ["vpcId", "peerVpcId", "waitFor", "peerRegionCode"],
    },
    {
        type: "Service",
        inputs: fc
            .tuple(
                serviceStates(["0", "1"]),
                fc.record(
                    {
                        name: fc.constantFrom("orders", "shop"),
                        regionCode: fc.constantFrom("us-east-1"),
                        allowReplace: fc.boolean(),
                    },
                    { requiredKeys: [] },
                ),
            )
            .map(([state, rest]) => ({ ...state, ...rest })),
        inputsIn: ({ vpcId, ...given }, { vpcIds }) => ({
            ...given,
            deletionProtection: false,
            ...(vpcId === undefined ? {} : { vpcId: vpcIds[Number(vpcId)] }),
        }),
        unknowns: [
            ...[
                "name",
                "regionCode",
                "cpuMillis",
                "memoryGbs",
                "replicaCount",
                "syncReplicaCount",
                "vpcId",
                "environment",
            ],
            ...["connectionPooler", "paused", "password", "deletionProtection", "allowReplace"],
        ],
    },
    {
        type: "Service",
        inputs: serviceStates(["0"]).chain((state) =>
            fc.record({
                parent: fc.nat(1),
                strategy: fc.constantFrom("NOW", "LAST_SNAPSHOT"),
                state: fc.constant(state),
            }),
        ),
        inputsIn: ({ parent, strategy, state }, { parents, vpcIds }) => {
            const { vpcId, ...given } = state as Values;
            return {
                ...given,
                name: "copy",
                deletionProtection: false,
                allowReplace: true,
                fork: { serviceId: pick(parents, parent), strategy },
                ...(vpcId === undefined ? {} : { vpcId: vpcIds[0] }),
            };
        },
        unknowns: [
            "fork",
            "cpuMillis",
            "replicaCount",
            "vpcId",
            "connectionPooler",
            "paused",
            "password",
            "environment",
        ],
    },
    {
        type: "ReadReplicaSet",
        inputs: fc.tuple(replicaSetStates, fc.nat(1)).map(([state, parent]): Values => ({ ...state, parent })),
        inputsIn: ({ parent, ...given }, { parents }) => ({ ...given, name: "copy", serviceId: pick(parents, parent) }),
        unknowns: ["serviceId", "name", "nodes", "cpuMillis", "memoryGbs", "connectionPooler", "environment"],
    },
    {
        type: "PeeringActivation",
        inputs: fc.record({ peering: fc.nat(1) }),
        inputsIn: ({ peering }, { peerings }) => {
            const [vpcId, peeringId] = pick(peerings, peering)?.split("/") ?? [];
            return { vpcId, peeringId };
        },
        unknowns: ["vpcId", "peeringId"],
    },
    {
        type: "Vpc",
        inputs: fc.record(
            {
                vpc: fc.nat(2),
                name: fc.constantFrom("one", "other"),
                cidr: fc.constantFrom("10.5.0.0/16", "10.6.0.0/16"),
            },
            { requiredKeys: ["vpc", "cidr"] },
        ),
        inputsIn: ({ vpc, ...given }, { emptyVpcs }) => ({
            ...given,
            regionCode: "us-east-1",
            existingId: pick([...emptyVpcs, "999999"], vpc),
        }),
        unknowns: ["name", "cidr", "existingId"],
    },
    {
        type: "Service",
        inputs: fc
            .tuple(serviceStates(["0", "1"]), fc.nat(2))
            .map(([state, service]): Values => ({ ...state, service })),
        inputsIn: ({ vpcId, service, ...given }, { parents, vpcIds }) => ({
            ...given,
            deletionProtection: false,
            existingId: pick([...parents, "nosuchone1"], service),
            ...(vpcId === undefined ? {} : { vpcId: vpcIds[Number(vpcId)] }),
        }),
        unknowns: ["cpuMillis", "replicaCount", "vpcId", "environment", "connectionPooler", "password", "existingId"],
    },
    {
        type: "ReadReplicaSet",
        inputs: fc.tuple(replicaSetStates, fc.nat(1)).map(([state, set]): Values => ({ ...state, set })),
        inputsIn: ({ set, ...given }, { sets }) => {
            const existingId = pick(sets, set);
            return { ...given, serviceId: existingId?.split("/")[0], existingId };
        },
        unknowns: ["nodes", "cpuMillis", "connectionPooler", "environment", "existingId"],
    },
];

/** Lines of a plan that send no request which changes something. */
const onlyReads = /^(adopt|wait until)/;

/** Why an update may fail although its preview did not: an unknown value requires a replacement, or names nothing to adopt. */
const refusals = /would be replaced by|cannot be adopted|existingId|has no value/;

/** The requests that each line of a plan can stand for. */
const requests: readonly (readonly [RegExp, readonly string[]])[] = [
    [/^create VPC/, ["createVpc"]],
    [/^create peering/, ["createPeering"]],
    [/^create service/, ["createService"]],
    [/^fork/, ["forkService"]],
    [/^create read replica set/, ["createReplicaSet"]],
    [/^rename/, ["renameVpc", "renameService"]],
    [/password/, ["updatePassword"]],
    [/^detach/, ["detachFromVPC"]],
    [/^attach/, ["attachToVPC"]],
    [/^resize/, ["resizeService", "resizeReplicaSet"]],
    [/^HA replicas/, ["setHA"]],
    [/^connection pooler/, ["enablePooler", "disablePooler", "enableReplicaSetPooler", "disableReplicaSetPooler"]],
    [/^environment/, ["setEnvironment", "setReplicaSetEnvironment"]],
    [/^resume/, ["startService"]],
    [/^pause/, ["stopService"]],
];

const requestsOf = (line: string) => requests.find(([form]) => form.test(line))?.[1] ?? [];

/** The operations of the journal in order, each of which the lines must announce; and whether each line has one. */
function compare(lines: readonly string[], operations: readonly string[]) {
    const left = [...operations];
    const unused = lines.filter((line) => {
        const isMade = left[0] !== undefined && requestsOf(line).includes(left[0]);
        if (isMade) {
            left.shift();
        }
        return !isMade;
    });
    return { unannounced: left, unused };
}

async function startScene(hostIn: (world: Simulation) => TestHost): Promise<Scene> {
    const world = await simulate({ peerings: "immediate" });
    const host = hostIn(world);
    const ids = async (type: ResourceType, all: readonly Values[]) => {
        const made: string[] = [];
        for (const inputs of all) {
            made.push((await host.up(type, inputs)).entry.id);
        }
        return made;
    };
    const vpcIds = await ids("Vpc", [
        { name: "v1", cidr: "10.1.0.0/16", regionCode: "us-east-1" },
        { name: "v2", cidr: "10.2.0.0/16", regionCode: "us-east-1" },
    ]);
    const size = { cpuMillis: 500, memoryGbs: 2, regionCode: "us-east-1" };
    const parents = await ids("Service", [
        { ...size, name: "p1" },
        { ...size, name: "p2" },
    ]);
    const emptyVpcs = await ids("Vpc", [
        { name: "e1", cidr: "10.5.0.0/16", regionCode: "us-east-1" },
        { name: "e2", cidr: "10.6.0.0/16", regionCode: "us-east-1" },
    ]);
    const peerings = await ids(
        "Peering",
        vpcIds.map((vpcId) => ({ ...far, vpcId, peerVpcId: "vpc-9" })),
    );
    const sets = await ids(
        "ReadReplicaSet",
        parents.map((serviceId) => ({ serviceId, name: "old", nodes: 1, cpuMillis: 500, memoryGbs: 2 })),
    );
    world.clock.advance(2 * 86_400_000);
    return { world, host, vpcIds, parents, emptyVpcs, peerings, sets };
}

/** The resource in the state, with what has happened to it. */
async function existing(kind: Kind, inputs: Values, event: Event, fails: string, scene: Scene): Promise<Entry> {
    const { world, host } = scene;
    const fault = { operation: fails, effect: { kind: "answer" as const, status: 400 } };
    if (event === "failedCreation") {
        world.emulator.addFaults([fault as never]);
    }
    const { entry } = await host.up(kind.type, inputs);
    world.emulator.clearFaults();
    if (event === "upgrade" && kind.type === "Service" && entry.outputs.status === "READY") {
        world.emulator.setServiceStatus(entry.id, "UPGRADING");
        const refreshed = await host.refresh(kind.type, entry);
        world.emulator.setServiceStatus(entry.id);
        return refreshed;
    }
    return event === "refresh" ? host.refresh(kind.type, entry) : entry;
}

/** A program that adopts what cannot be adopted leaves nothing in the state. */
function unlessAdoptable(error: unknown): undefined {
    expect(messageOf(error)).toContain("cannot be adopted");
}

const messageOf = (error: unknown) => (error as Error).message;

const events = fc.constantFrom<Event>("nothing", "nothing", "refresh", "upgrade", "failedCreation", "failedUpdate");
const failing = fc.constantFrom(
    "updatePassword",
    "attachToVPC",
    "setHA",
    "enablePooler",
    "setEnvironment",
    "stopService",
);

const hosts = [
    ["the plugin", nativeHostIn],
    ["the dynamic provider", dynamicHostIn],
] as const;

describe.each(hosts)("previews on %s", (_, hostIn) => {
    it.each(kinds.map((kind, index) => [kind.type, index, kind] as const))(
        "every known output is the result of the update, and every step a request in order: %s (%s)",
        async (type, _index, kind) => {
            await fc.assert(
                fc.asyncProperty(
                    fc.option(kind.inputs),
                    kind.inputs,
                    kind.inputs,
                    fc.subarray([...kind.unknowns]),
                    fc.boolean(),
                    events,
                    failing,
                    async (from, between, to, unknowns, isKnown, event, fails) => {
                        const scene = await startScene(hostIn);
                        const { world, host } = scene;
                        let entry =
                            from === null
                                ? undefined
                                : await existing(kind, kind.inputsIn(from, scene), event, fails, scene).catch(
                                      unlessAdoptable,
                                  );
                        if (entry !== undefined && event === "failedUpdate") {
                            world.emulator.addFaults([
                                { operation: fails, effect: { kind: "answer", status: 400 } } as never,
                            ]);
                            entry =
                                (await host.up(type, kind.inputsIn(between, scene), entry).catch(() => undefined))
                                    ?.entry ?? entry;
                            world.emulator.clearFaults();
                        }
                        const isInterrupted = entry?.outputs.__interrupted !== undefined;
                        const declared = kind.inputsIn(to, scene);
                        const hidden = Object.fromEntries(
                            (isKnown ? [] : unknowns).filter((name) => name in declared).map((name) => [name, unknown]),
                        );
                        world.changes();
                        const preview = await host.preview(type, { ...declared, ...hidden }, entry).catch(messageOf);
                        expect(world.changes()).toEqual([]);
                        const updated = await host.up(type, declared, entry).catch(messageOf);
                        if (typeof updated === "string") {
                            // A refused update changes nothing, and the preview shows the refusal if it knows all values.
                            expect(world.changes()).toEqual([]);
                            if (typeof preview === "string") {
                                expect(preview).toBe(updated);
                            } else {
                                expect(Object.keys(hidden)).not.toEqual([]);
                                expect(updated).toMatch(refusals);
                            }
                            return;
                        }
                        if (typeof preview === "string") {
                            throw new Error(`The preview fails, and the update succeeds: ${preview}`);
                        }
                        expect(updated.error).toBeUndefined();
                        const isReplaced = entry !== undefined && updated.entry.id !== entry.id;
                        const shown = Object.entries(preview.known).filter(
                            // An output that is absent in the preview of a creation is unknown.
                            ([name]) => !(isReplaced && name === "serviceId"),
                        );
                        expect(updated.outputs).toMatchObject(Object.fromEntries(shown));
                        if (isInterrupted || (preview.operation === "replace") !== isReplaced) {
                            return; // The preview says so.
                        }
                        const operations = world
                            .changes()
                            .map((line) => line.split(" ")[0] ?? "")
                            .filter((operation) => !operation.startsWith("delete"));
                        if ("existingId" in hidden) {
                            return; // The steps of this adoption are not known.
                        }
                        const lines = preview.steps.filter((line) => !onlyReads.test(line));
                        const { unannounced, unused } = compare(lines, operations);
                        expect(unannounced).toEqual([]);
                        if (Object.keys(hidden).length === 0) {
                            // The API chooses the tag of a new read replica set, which may be the declared one.
                            expect(unused.filter((line) => !line.startsWith("environment none"))).toEqual([]);
                        }
                    },
                ),
                { numRuns: Math.ceil(propertyRuns / 4), seed: Number(process.env.CLOUDDB_SEED ?? 1) },
            );
        },
        120_000,
    );
});
