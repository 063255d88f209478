import { secret, type CustomResource } from "@pulumi/pulumi";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ResourceType } from "../../provider/resources";
import type { PeeringInputs } from "../../provider/resources/peering";
import type { PeeringActivationInputs } from "../../provider/resources/peeringActivation";
import type { ReadReplicaSetInputs } from "../../provider/resources/readReplicaSet";
import type { Fork, ServiceInputs } from "../../provider/resources/service/service";
import type { VpcInputs } from "../../provider/resources/vpc";
import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import type { PeeringActivationArgs, PeeringArgs, ReadReplicaSetArgs, ServiceArgs, VpcArgs } from "../../sdk/nodejs";
import { removeStacks, startStack } from "../support/engine";
import type { EngineRun, TestStack } from "../support/engine";

const limitMs = 240_000;
const otherProject = "project002";
const passwordVariable = "ORDERS_PASSWORD";
const passwordFile = join(mkdtempSync(join(tmpdir(), "clouddb-password-")), "orders.txt");

/** The resources and values that the changes use. */
interface World {
    readonly networks: readonly [Vpc, Vpc];
    /** One in each network. */
    readonly peerings: readonly [Peering, Peering];
    readonly services: readonly [Service, Service];
    /** The id of the resource with this name. */
    readonly idOf: (name: string) => string;
    /** A time after the creation of the services, plus this number of milliseconds. */
    readonly time: (laterMs: number) => string;
}

type Values<Args> = Partial<Args> | ((world: World) => Partial<Args>);

/** The change of one property. */
interface Change<Args> {
    readonly from: Values<Args>;
    readonly to: Values<Args>;
    /** The paths of the properties that the engine shows, and how each changes. */
    readonly shows: Readonly<Record<string, string>>;
}

function valuesIn<Args>(values: Values<Args>, world: World): Partial<Args> {
    return typeof values === "function" ? values(world) : values;
}

/** A new property does not compile until its change is described. */
type Changes<Inputs, Args> = Readonly<Record<keyof Inputs, Change<Args>>>;

const inAnotherProject = { from: {}, to: { projectId: otherProject }, shows: { projectId: "update-replace" } };
const protection = { from: {}, to: { deletionProtection: true }, shows: { deletionProtection: "update" } };
const adoptionOf = (name: string) => ({
    from: {},
    to: ({ idOf }: World) => ({ existingId: idOf(name) }),
    // Only a creation reads it.
    shows: {},
});

const ofVpc: Changes<VpcInputs, VpcArgs> = {
    projectId: inAnotherProject,
    existingId: adoptionOf("Vpc-existingId"),
    deletionProtection: protection,
    name: { from: { name: "network" }, to: { name: "other-network" }, shows: { name: "update" } },
    cidr: { from: {}, to: { cidr: "10.200.0.0/21" }, shows: { cidr: "update-replace" } },
    regionCode: { from: {}, to: { regionCode: "eu-west-1" }, shows: { regionCode: "update-replace" } },
};

const ofPeering: Changes<PeeringInputs, PeeringArgs> = {
    projectId: inAnotherProject,
    existingId: adoptionOf("Peering-existingId"),
    deletionProtection: protection,
    vpcId: {
        from: {},
        to: ({ networks: [, other] }) => ({ vpcId: other.vpcId }),
        shows: { vpcId: "update-replace" },
    },
    peerAccountId: {
        from: {},
        to: { peerAccountId: "210987654321" },
        shows: { peerAccountId: "update-replace" },
    },
    peerRegionCode: { from: {}, to: { peerRegionCode: "eu-west-1" }, shows: { peerRegionCode: "update-replace" } },
    peerVpcId: { from: {}, to: { peerVpcId: "vpc-9" }, shows: { peerVpcId: "update-replace" } },
    waitFor: { from: { waitFor: "active" }, to: { waitFor: "provisioned" }, shows: { waitFor: "update" } },
};

const ofActivation: Changes<PeeringActivationInputs, PeeringActivationArgs> = {
    projectId: inAnotherProject,
    // The peering is in the VPC.
    vpcId: {
        from: {},
        to: ({ networks: [, vpc], peerings: [, peering] }) => ({ vpcId: vpc.vpcId, peeringId: peering.peeringId }),
        shows: { vpcId: "update-replace", peeringId: "update-replace" },
    },
    peeringId: {
        from: {},
        to: ({ peerings: [other] }) => ({ peeringId: other.peeringId }),
        shows: { peeringId: "update-replace" },
    },
};

const ofUrls = {
    sslMode: { from: {}, to: { sslMode: "verify-full" }, shows: { sslMode: "add" } },
    sslRootCert: {
        from: { sslRootCert: "/etc/ca.pem" },
        to: { sslRootCert: "system" },
        shows: { sslRootCert: "update" },
    },
} as const;

const ofReplicaSet: Changes<ReadReplicaSetInputs, ReadReplicaSetArgs> = {
    projectId: inAnotherProject,
    existingId: adoptionOf("ReadReplicaSet-existingId"),
    deletionProtection: protection,
    serviceId: {
        from: {},
        to: ({ services: [, other] }) => ({ serviceId: other.serviceId }),
        shows: { serviceId: "update-replace" },
    },
    name: { from: { name: "copy" }, to: { name: "other-copy" }, shows: { name: "update-replace" } },
    nodes: { from: {}, to: { nodes: 2 }, shows: { nodes: "update" } },
    // The memory follows, because the program does not declare it.
    cpuMillis: { from: {}, to: { cpuMillis: 1000 }, shows: { cpuMillis: "update", memoryGbs: "update" } },
    memoryGbs: { from: { memoryGbs: 2 }, to: { memoryGbs: 4 }, shows: { memoryGbs: "update" } },
    connectionPooler: { from: {}, to: { connectionPooler: true }, shows: { connectionPooler: "update" } },
    environment: { from: { environment: "DEV" }, to: { environment: "PROD" }, shows: { environment: "update" } },
    password: {
        from: { password: secret("first-password") },
        to: { password: secret("second-password") },
        shows: { password: "update" },
    },
    ...ofUrls,
};

const ofService: Changes<ServiceInputs, ServiceArgs> = {
    projectId: inAnotherProject,
    existingId: adoptionOf("Service-existingId"),
    deletionProtection: protection,
    name: { from: { name: "orders" }, to: { name: "shop" }, shows: { name: "update" } },
    regionCode: {
        from: { regionCode: "us-east-1" },
        to: { regionCode: "eu-west-1" },
        shows: { regionCode: "update-replace" },
    },
    addons: { from: { addons: ["ai"] }, to: { addons: ["time-series"] }, shows: { addons: "update-replace" } },
    cpuMillis: {
        from: { cpuMillis: 500 },
        to: { cpuMillis: 1000 },
        shows: { cpuMillis: "update", memoryGbs: "update" },
    },
    memoryGbs: {
        from: { memoryGbs: 2 },
        to: { memoryGbs: 4 },
        shows: { cpuMillis: "update", memoryGbs: "update" },
    },
    replicaCount: { from: {}, to: { replicaCount: 1 }, shows: { replicaCount: "update" } },
    syncReplicaCount: {
        from: { replicaCount: 2, syncReplicaCount: 0 },
        to: { replicaCount: 2, syncReplicaCount: 1 },
        shows: { syncReplicaCount: "update" },
    },
    vpcId: {
        from: ({ networks: [one] }) => ({ vpcId: one.vpcId }),
        to: ({ networks: [, other] }) => ({ vpcId: other.vpcId }),
        shows: { vpcId: "update" },
    },
    environment: { from: {}, to: { environment: "PROD" }, shows: { environment: "update" } },
    connectionPooler: { from: {}, to: { connectionPooler: true }, shows: { connectionPooler: "update" } },
    paused: { from: {}, to: { paused: true }, shows: { paused: "update" } },
    password: {
        from: { password: secret("long-enough") },
        to: { password: secret("also-long-enough") },
        shows: { password: "update" },
    },
    fork: {
        from: {},
        to: ({ services: [parent] }) => ({ fork: { serviceId: parent.serviceId, strategy: "NOW" } }),
        shows: { fork: "add-replace" },
    },
    passwordFile: {
        from: { password: secret("long-enough") },
        to: { passwordFile, passwordVersion: 1 },
        shows: { password: "delete", passwordFile: "add", passwordVersion: "add" },
    },
    passwordVariable: {
        from: { passwordVariable, passwordVersion: 1 },
        to: { passwordFile, passwordVersion: 1 },
        shows: { passwordVariable: "delete", passwordFile: "add" },
    },
    passwordVersion: {
        from: { passwordVariable, passwordVersion: 1 },
        to: { passwordVariable, passwordVersion: 2 },
        shows: { passwordVersion: "update" },
    },
    finalFork: { from: { finalFork: false }, to: { finalFork: true }, shows: { finalFork: "update" } },
    ...ofUrls,
};

const ofFork: Changes<Fork, ServiceArgs> = {
    serviceId: {
        from: ({ services: [parent] }) => ({ fork: { serviceId: parent.serviceId, strategy: "NOW" } }),
        to: ({ services: [, other] }) => ({ fork: { serviceId: other.serviceId, strategy: "NOW" } }),
        shows: { "fork.serviceId": "update-replace" },
    },
    strategy: {
        from: ({ services: [parent] }) => ({ fork: { serviceId: parent.serviceId, strategy: "NOW" } }),
        to: ({ services: [parent] }) => ({ fork: { serviceId: parent.serviceId, strategy: "LAST_SNAPSHOT" } }),
        shows: { "fork.strategy": "update-replace" },
    },
    targetTime: {
        from: ({ services: [parent], time }) => ({
            fork: { serviceId: parent.serviceId, strategy: "PITR", targetTime: time(0) },
        }),
        to: ({ services: [parent], time }) => ({
            fork: { serviceId: parent.serviceId, strategy: "PITR", targetTime: time(1) },
        }),
        shows: { "fork.targetTime": "update-replace" },
    },
};

/** The resources of a kind, each of which has one change. */
interface Kind<Args> {
    readonly changes: Readonly<Record<string, Change<Args>>>;
    readonly declare: (name: string, args: Partial<Args>, world: World, index: number) => CustomResource;
}

const region = { regionCode: "us-east-1" };
const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };
const peered = (world: World) => ({ vpcId: world.networks[0].vpcId });

const kindsByName = {
    Vpc: {
        changes: ofVpc,
        declare: (name, args, _, index) => new Vpc(name, { cidr: `10.${index}.0.0/21`, ...region, ...args }),
    } satisfies Kind<VpcArgs>,
    Peering: {
        changes: ofPeering,
        declare: (name, args, world, index) =>
            new Peering(name, { ...peered(world), ...far, peerVpcId: `vpc-1${index}`, ...args }),
    } satisfies Kind<PeeringArgs>,
    PeeringActivation: {
        changes: ofActivation,
        // A peering has one activation.
        declare: (name, args, world) => {
            const vpc = peered(world);
            const { peeringId } = new Peering(`${name}-peering`, { ...vpc, ...far, peerVpcId: `vpc-of-${name}` });
            return new PeeringActivation(name, { ...vpc, peeringId, ...args });
        },
    } satisfies Kind<PeeringActivationArgs>,
    ReadReplicaSet: {
        changes: ofReplicaSet,
        declare: (name, args, world) =>
            new ReadReplicaSet(name, { serviceId: world.services[0].serviceId, cpuMillis: 500, ...args }),
    } satisfies Kind<ReadReplicaSetArgs>,
    Service: {
        changes: ofService,
        declare: (name, args) => new Service(name, args),
    } satisfies Kind<ServiceArgs>,
    Fork: {
        changes: ofFork,
        declare: (name, args) => new Service(name, args),
    } satisfies Kind<ServiceArgs>,
} satisfies Readonly<Record<ResourceType | "Fork", unknown>>;

const kinds = Object.entries(kindsByName) as unknown as readonly (readonly [kind: string, Kind<object>])[];

/** The token may not use the other project, and the API has no size with this memory. */
const previewOnly = [...kinds.map(([kind]) => `${kind}-projectId`), "ReadReplicaSet-memoryGbs"];

const rows = kinds.flatMap(([kind, { changes }]) =>
    Object.entries(changes).map(([property, { shows }]) => ({ name: `${kind}-${property}`, shows })),
);

describe("each property of each kind", () => {
    let stack: TestStack;
    let created: EngineRun;
    let preview: EngineRun;
    let startedAt: number;
    const ids = new Map<string, string>();

    const world = (): World => {
        const network = (name: string, cidr: string) => new Vpc(name, { cidr, ...region });
        const networks = [network("one", "10.101.0.0/21"), network("other", "10.102.0.0/21")] as const;
        const peering = ({ vpcId }: Vpc, peerVpcId: string) => new Peering(peerVpcId, { vpcId, ...far, peerVpcId });
        return {
            networks,
            peerings: [peering(networks[0], "vpc-1"), peering(networks[1], "vpc-2")],
            services: [new Service("parent-1"), new Service("parent-2")],
            idOf: (name) => ids.get(name) ?? "",
            time: (laterMs) => new Date(startedAt + laterMs).toISOString(),
        };
    };

    const program =
        (side: "from" | "to", unchanged: readonly string[] = []) =>
        () => {
            const declared = world();
            for (const [kind, { changes, declare }] of kinds) {
                for (const [index, [property, change]] of Object.entries(changes).entries()) {
                    const name = `${kind}-${property}`;
                    const values = change[unchanged.includes(name) ? "from" : side];
                    declare(name, valuesIn(values, declared), declared, index);
                }
            }
        };

    beforeAll(async () => {
        stack = await startStack({ peerings: "immediate", projects: [{ id: otherProject, name: "other" }] });
        stack.env({ [passwordVariable]: "long-enough-in-a-variable" });
        writeFileSync(passwordFile, "long-enough-in-a-file");
        await stack.up(() => void world());
        startedAt = Date.now();
        created = await stack.up(program("from"));
        const { deployment } = JSON.parse(await stack.exported()) as {
            deployment: { resources: { urn: string; id?: string }[] };
        };
        for (const { urn, id } of deployment.resources) {
            ids.set(urn.slice(urn.lastIndexOf("::") + 2), id ?? "");
        }
        stack.calls();
        preview = await stack.preview(program("to"), { diff: true });
    }, limitMs);
    afterAll(async () => {
        rmSync(dirname(passwordFile), { recursive: true });
        await removeStacks();
    });

    test.each(rows)("the preview of a change shows how each property changes: $name, $shows", ({ name, shows }) => {
        expect(created.operations[name]).toBe("create");
        expect(preview.properties[name] ?? {}).toEqual(shows);
    });

    test("the preview shows no secret and sends no request that changes something", () => {
        expect(preview.output).not.toContain("long-enough");
        expect(stack.calls()).toEqual([]);
    });

    test(
        "the update makes the previewed changes, and the next run changes nothing",
        async () => {
            const updated = await stack.up(program("to", previewOnly));
            for (const { name, shows } of rows.filter((row) => !previewOnly.includes(row.name))) {
                const [how = "same"] = Object.values(shows);
                const expected = how.endsWith("-replace") ? "replace" : how === "same" ? "same" : "update";
                expect([name, updated.operations[name]]).toEqual([name, expected]);
            }
            await stack.up(undefined, { expectNoChanges: true });
        },
        limitMs,
    );
});
