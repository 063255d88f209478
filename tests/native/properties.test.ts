import { secret, type Output } from "@pulumi/pulumi";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pick } from "../../provider/base/fields";
import { untypedResources, type ResourceType } from "../../provider/resources";
import * as sdk from "../../sdk/nodejs";
import { Peering, Service, Vpc } from "../../sdk/nodejs";
import { kindCases, propertiesOf, untypedKinds } from "../support/cases";
import { otherProject } from "../support/cases/common";
import { symbols } from "../support/cases/kind";
import { changeOf, type PropertyCase, type Refs, type Values } from "../support/cases/property";
import { forkCases } from "../support/cases/service";
import { startStack, type EngineRun, type TestStack } from "../support/engine";
import { newFolder } from "../support/folder";

const passwordVariable = "ORDERS_PASSWORD";
const passwordFile = join(newFolder(), "orders.txt");

/** The properties of a kind, or of the input `fork` of a service. */
const tables = [
    ...(Object.keys(kindCases) as ResourceType[]).map((type) => ({
        kind: type,
        type,
        changes: propertiesOf(type).map(([name, one]) => ({
            name,
            shows: showsOf(name, one),
            of: (refs: Refs) => changeOf(name, one, refs),
        })),
    })),
    {
        kind: "Fork",
        type: "Service" as const,
        changes: Object.entries<PropertyCase<unknown>>(forkCases).map(([name, one]) => ({
            name,
            shows: showsOf("fork", one),
            of: (refs: Refs) => changeOf(name, one, refs).map((fork) => ({ fork })),
        })),
    },
];

/** The paths of the properties that the engine shows, and how each changes. */
function showsOf(name: string, { shows, replaces, isIgnored }: PropertyCase<unknown>): Values {
    return shows ?? (isIgnored ? {} : { [name]: replaces ? "update-replace" : "update" });
}

/** The token may not use the other project, and the API has no size with this memory. */
const previewOnly = [...tables.map(({ kind }) => `${kind}-projectId`), "ReadReplicaSet-memoryGbs"];

const rows = tables.flatMap(({ kind, changes }) =>
    changes.map(({ name, shows }) => ({ name: `${kind}-${name}`, shows })),
);

/** The names of the secret inputs of a kind. */
const secretsOf = (type: ResourceType) =>
    Object.entries(untypedResources[type].fields).flatMap(([name, { secret: isSecret }]) => (isSecret ? [name] : []));

/** Inputs of a kind, with those as secrets that are. */
const withSecrets = (type: ResourceType, inputs: Values): Values => ({
    ...inputs,
    ...Object.fromEntries(Object.entries(pick(inputs, secretsOf(type))).map(([name, one]) => [name, secret(one)])),
});

/** The values of all secret inputs. */
const secretValues = tables.flatMap(({ type, changes }) => {
    const declared = [untypedKinds[type].inputs(symbols, 0), ...changes.flatMap(({ of }) => of(symbols))];
    return declared.flatMap((inputs) => Object.values(pick(inputs, secretsOf(type))) as string[]);
});

describe("each property of each kind", () => {
    let stack: TestStack;
    let created: EngineRun;
    let preview: EngineRun;
    let startedAt: number;
    const ids = new Map<string, string>();
    /** Resources that no program declares: one of it in another project would be refused. */
    let outside: Partial<Refs> = {};

    /** The resources that the changes use. */
    const refsOf = (): Refs => {
        const network = (name: string, cidr: string) => new Vpc(name, { cidr, regionCode: "us-east-1" }).vpcId;
        const [one, other] = [network("one", "10.101.0.0/21"), network("other", "10.102.0.0/21")];
        const peering = (vpcId: Output<string>, peerVpcId: string) =>
            new Peering(peerVpcId, { vpcId, peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId }).peeringId;
        return {
            ...symbols,
            Vpc: [one, other],
            Peering: [peering(one, "vpc-1"), peering(other, "vpc-2")],
            Service: [new Service("parent-1").serviceId, new Service("parent-2").serviceId],
            passwordFile,
            passwordVariable,
            time: (laterMs: number) => new Date(startedAt + laterMs).toISOString(),
        } as unknown as Refs;
    };

    const program =
        (side: 0 | 1, unchanged: readonly string[] = []) =>
        () => {
            const ofProgram = refsOf();
            for (const { kind, type, changes } of tables) {
                for (const [index, { name: property, of }] of changes.entries()) {
                    const name = `${kind}-${property}`;
                    const refs = property === "projectId" ? { ...ofProgram, ...outside } : ofProgram;
                    const [before = {}, after = {}] = of({ ...refs, itself: ids.get(name) ?? "" });
                    const declared = unchanged.includes(name) || side === 0 ? before : after;
                    // A peering has one activation.
                    const own =
                        type === "PeeringActivation"
                            ? [new Peering(`${name}-peering`, kindCases.Peering.inputs(refs, 100 + index)).peeringId]
                            : refs.Peering;
                    const inputs = untypedKinds[type].inputs({ ...refs, Peering: own } as never, index);
                    new sdk[type](name, withSecrets(type, { ...inputs, ...declared }) as never);
                }
            }
        };

    beforeAll(async () => {
        stack = await startStack({ peerings: "immediate", projects: [{ id: otherProject, name: "other" }] });
        stack.env({ [passwordVariable]: "long-enough-in-a-variable" });
        writeFileSync(passwordFile, "long-enough-in-a-file");
        const [vpc, service] = [
            await stack.emulator.createVpc({ name: "outside", cidr: "10.103.0.0/21" }),
            await stack.emulator.createService({ name: "outside" }),
        ];
        outside = { Vpc: [vpc.id, vpc.id], Service: [service.id, service.id] } as unknown as Partial<Refs>;
        await stack.up(() => void refsOf());
        startedAt = Date.now();
        created = await stack.up(program(0));
        for (const { urn, id } of await stack.resources()) {
            ids.set(urn.slice(urn.lastIndexOf("::") + 2), id);
        }
        stack.calls();
        preview = await stack.preview(program(1), { diff: true });
    });

    test.each(rows)("the preview of a change shows how each property changes: $name, $shows", ({ name, shows }) => {
        expect(created.operations[name]).toBe("create");
        expect(preview.properties[name] ?? {}).toEqual(shows);
    });

    test("the preview shows no secret and sends no request that changes something", () => {
        const shown = [...secretValues, "long-enough"].filter((value) => preview.output.includes(value));
        expect([secretValues.length > 3, ...shown]).toEqual([true]);
        expect(stack.calls()).toEqual([]);
    });

    test("the update makes the previewed changes, and the next run changes nothing", async () => {
        const updated = await stack.up(program(1, previewOnly));
        for (const { name, shows } of rows.filter((row) => !previewOnly.includes(row.name))) {
            const [how = "same"] = Object.values(shows) as string[];
            const expected = how.endsWith("-replace") ? "replace" : how === "same" ? "same" : "update";
            expect([name, updated.operations[name]]).toEqual([name, expected]);
        }
        await stack.up(undefined, { expectNoChanges: true });
    });
});
