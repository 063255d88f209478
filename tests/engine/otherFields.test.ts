import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import type { PeeringArgs, ReadReplicaSetArgs } from "../../sdk/nodejs";
import { removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

afterAll(removeStacks);

describe("each field of a read replica set, alone", () => {
    /** The calls that create the resource with the field, change its value, and remove it from the program. */
    interface Row {
        field: string;
        with: Partial<ReadReplicaSetArgs>;
        create: string[];
        changed: Partial<ReadReplicaSetArgs>;
        change: string[];
        removal: string[];
    }

    const rows: Row[] = [
        {
            field: "nodes",
            with: { nodes: 2 },
            create: ["createReplicaSet"],
            changed: { nodes: 3 },
            change: ["resizeReplicaSet"],
            removal: ["resizeReplicaSet"],
        },
        {
            field: "cpuMillis and memoryGbs",
            with: { cpuMillis: 1000, memoryGbs: 4 },
            create: ["createReplicaSet"],
            changed: { cpuMillis: 2000, memoryGbs: 8 },
            change: ["resizeReplicaSet"],
            removal: ["resizeReplicaSet"],
        },
        {
            field: "connectionPooler",
            with: { connectionPooler: true },
            create: ["createReplicaSet", "enableReplicaSetPooler"],
            changed: { connectionPooler: false },
            change: ["disableReplicaSetPooler"],
            removal: [],
        },
        {
            field: "a connectionPooler that is set later",
            with: {},
            create: ["createReplicaSet"],
            changed: { connectionPooler: true },
            change: ["enableReplicaSetPooler"],
            removal: ["disableReplicaSetPooler"],
        },
        {
            field: "environment",
            with: { environment: "PROD" },
            create: ["createReplicaSet", "setReplicaSetEnvironment"],
            changed: { environment: "DEV" },
            change: ["setReplicaSetEnvironment"],
            // An undeclared field does not change.
            removal: [],
        },
    ];

    let stack: TestStack;
    let created: Record<string, string[]>;
    let changed: Record<string, string[]>;
    let removed: Record<string, string[]>;

    const program = (valuesOf: (row: Row) => Partial<ReadReplicaSetArgs>) => () => {
        const { serviceId } = new Service("parent", { name: "parent" });
        for (const row of rows) {
            const standard = { serviceId, name: row.field, nodes: 1, cpuMillis: 500, memoryGbs: 2 };
            new ReadReplicaSet(row.field, { ...standard, ...valuesOf(row) });
        }
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program((row) => row.with));
        created = stack.callsByName();
        await stack.up(program((row) => row.changed));
        changed = stack.callsByName();
        await stack.up(program(() => ({})));
        removed = stack.callsByName();
    }, 120_000);

    test.each(rows)("the creation, change and removal of $field send only the necessary calls", (row) => {
        expect({
            create: created[row.field],
            change: changed[row.field],
            removal: removed[row.field] ?? [],
        }).toEqual({ create: row.create, change: row.change, removal: row.removal });
    });

    test("a changed name replaces a read replica set, and a changed node count does not", async () => {
        const { operations } = await stack.up(() => {
            const { serviceId } = new Service("parent", { name: "parent" });
            new ReadReplicaSet("nodes", { serviceId, name: "renamed", nodes: 2, cpuMillis: 500, memoryGbs: 2 });
        });

        expect(operations).toMatchObject({ parent: "same", nodes: "replace", environment: "delete" });
        expect(stack.calls().filter((operation) => operation === "createReplicaSet")).toHaveLength(1);
        expect(stack.emulator.snapshot().services[0]?.read_replica_sets).toMatchObject([{ name: "renamed", nodes: 2 }]);
    });
});

describe("each field of peerings and VPCs, alone", () => {
    const standard = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };
    const changes: Partial<PeeringArgs>[] = [
        { peerAccountId: "210987654321" },
        { peerRegionCode: "eu-west-1" },
        { peerVpcId: "vpc-99" },
        { waitFor: "provisioned" },
    ];

    let stack: TestStack;

    const program =
        (vpc: { name?: string }, changed: boolean, elsewhere = false) =>
        () => {
            const here = new Vpc("here", { cidr: "10.0.0.0/16", regionCode: "us-east-1", ...vpc });
            const there = new Vpc("there", { cidr: "10.1.0.0/16", regionCode: "us-east-1" });
            changes.forEach((change, index) => {
                const [field = ""] = Object.keys(change);
                new Peering(field, {
                    vpcId: here.vpcId,
                    peerVpcId: `vpc-${index}`,
                    ...standard,
                    ...(changed && change),
                });
            });
            new Peering("vpcId", { vpcId: elsewhere ? there.vpcId : here.vpcId, peerVpcId: "vpc-5", ...standard });
        };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program({ name: "first" }, false));
        stack.calls();
    }, 120_000);

    test("a change of any field replaces a peering, except waitFor, which sends no request", async () => {
        const { operations } = await stack.up(program({ name: "first" }, true, true));

        expect(operations).toEqual({
            here: "same",
            there: "same",
            peerAccountId: "replace",
            peerRegionCode: "replace",
            peerVpcId: "replace",
            vpcId: "replace",
            waitFor: "update",
        });
        const calls = stack.calls();
        expect(calls.filter((operation) => operation === "createPeering")).toHaveLength(4);
        expect(calls.filter((operation) => operation === "deletePeering")).toHaveLength(4);
        expect(calls).toHaveLength(8);
    });

    test("a VPC is renamed in place", async () => {
        const { operations, messages } = await stack.preview(program({ name: "second" }, true, true));
        expect(operations.here).toBe("update");
        expect(messages.here).toEqual(['1 rename "first" -> "second"']);

        await stack.up();
        expect(stack.calls()).toEqual(["renameVpc"]);
    });

    test("a VPC keeps its last name when the name is removed from the program", async () => {
        await stack.up(program({}, true, true));

        expect(stack.calls()).toEqual([]);
        expect(stack.emulator.snapshot().vpcs.map(({ name }) => name)).toContain("second");
    });
});
