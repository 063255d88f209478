import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { Emulator } from "../../emulator";
import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, host, startStack, typeToken, type EngineRun, type Program, type TestStack } from "../support/engine";
import { untypedKinds } from "../support/cases";
import { existingResources, peer } from "../support/existing";
import { runShell } from "../support/project";

// The ways out of the messages about a resource, of each kind, created or adopted: each is followed to the letter, to its goal.
// tests/languages/refusedRuns.test.ts follows those of docs/protection.md in YAML.

/** A kind of resource whose parent, if it has one, was created outside of the program. */
interface Kind {
    parent: (stack: TestStack) => Promise<string>;
    /** Creates one outside of the program. */
    make: (stack: TestStack, parent: string, name: string) => Promise<{ id: string }>;
    declare: (name: string, parent: string, args: object, opts: CustomResourceOptions) => void;
    /** The declared name of the resource in the platform. */
    named: (name: string) => object;
    /** What only a replacement changes. */
    replacing: object;
    /** What changes in place, if anything does. */
    changed?: object;
}

const size = { cpuMillis: 500, memoryGbs: 2 };
const wireSize = { cpu_millis: "500", memory_gbs: "2" };

const kinds = {
    Vpc: {
        parent: () => Promise.resolve(""),
        make: ({ emulator }, _, name) =>
            emulator.createVpc({ name, ...(name === "thing" ? { cidr: "10.0.0.0/16" } : {}) }),
        declare: (name, _, args, opts) =>
            new Vpc(name, { cidr: "10.0.0.0/16", regionCode: "us-east-1", ...args }, opts),
        named: (name) => ({ name }),
        replacing: { cidr: "10.64.0.0/16" },
        changed: { name: "later" },
    },
    Peering: {
        parent: async ({ emulator }) => (await emulator.createVpc()).id,
        make: ({ emulator }, vpc, name) =>
            emulator.createPeering(vpc, name === "thing" ? {} : { peer_vpc_id: "vpc-0f0f0f0f" }),
        declare: (name, vpcId, args, opts) => new Peering(name, { vpcId, ...peer, ...args }, opts),
        named: () => ({}),
        replacing: { peerVpcId: "vpc-0c0c0c0c" },
    },
    Service: {
        parent: () => Promise.resolve(""),
        make: ({ emulator }, _, name) => emulator.createService({ name, ...wireSize }),
        declare: (name, _, args, opts) => new Service(name, { ...size, ...args }, opts),
        named: (name) => ({ name }),
        replacing: { addons: ["ai"] },
        changed: { cpuMillis: 1000, memoryGbs: 4 },
    },
    ReadReplicaSet: {
        parent: async ({ emulator }) => (await emulator.createService()).id,
        make: ({ emulator }, service, name) => emulator.createReadReplicaSet(service, { name }),
        declare: (name, serviceId, args, opts) =>
            new ReadReplicaSet(name, { serviceId, nodes: 1, ...size, ...args }, opts),
        named: (name) => ({ name }),
        replacing: { name: "another" },
        changed: { nodes: 2 },
    },
} satisfies Readonly<Record<string, Kind>>;

const types = Object.keys(kinds) as (keyof typeof kinds)[];

/** The ids of all resources of a kind, within their parents. */
const idsOf = (type: keyof typeof kinds, emulator: Emulator) =>
    untypedKinds[type].items(emulator.snapshot()).map(({ id }) => id);

/** A way out of a message, by its label. */
function wayOf({ errors }: EngineRun, label: string): string {
    const line = errors
        .join("\n")
        .split("\n")
        .find((one) => one.startsWith(`${label}: `));
    return line?.slice(label.length + 2) ?? `no way out "${label}" in ${errors.join("\n")}`;
}

/** Runs a command of a message, as a person does who confirms it. */
const shellIn = ({ folder, environment }: TestStack, command: string) =>
    runShell(command, folder, { ...environment(), PULUMI_STACK: "test", PULUMI_SKIP_CONFIRMATIONS: "true" });

const isProtected = { deletionProtection: true };
const unprotected = { deletionProtection: false };
/** Pulumi itself refuses the deletion of what has its option protect. */
const own = { protect: false };

describe.each(types.flatMap((type) => ["created", "adopted"].map((origin) => [type, origin] as const)))(
    "%s, %s",
    (type, origin) => {
        const kind: Kind = kinds[type];

        /** A stack with a protected resource that a program has created or adopted. */
        async function deployed() {
            const stack = await startStack();
            const parent = await kind.parent(stack);
            const declaring =
                (args: object, opts: CustomResourceOptions = {}, name = "thing"): Program =>
                () => {
                    kind.declare(name, parent, { ...kind.named("thing"), ...args }, opts);
                };
            const ids = () => idsOf(type, stack.emulator);
            const existing = origin === "adopted" ? { existingId: (await kind.make(stack, parent, "thing")).id } : {};
            await stack.up(declaring({ ...existing, ...isProtected }));
            const [id = "", ...others] = ids();
            expect(others).toEqual([]);
            return {
                ...stack,
                stack,
                parent,
                declaring,
                ids,
                id,
                existing,
                /** The last part of the id in the state. */
                managed: async (name = "thing") => (await stack.state(name)).id.split("/").at(-1),
                shell: (command: string) => shellIn(stack, command),
                settled: async (program?: Program) => {
                    stack.emulator.clearJournal();
                    const { operations } = await stack.up(program);
                    expect([...new Set(Object.values(operations))]).toEqual(["same"]);
                    expect(stack.calls()).toEqual([]);
                },
            };
        }

        test("a change that replaces it is undone, or permitted first", async () => {
            const { up, preview, declaring, existing, id, ids, settled, managed } = await deployed();
            const refusal = await failed(preview(declaring({ ...existing, ...isProtected, ...kind.replacing })));
            expect(wayOf(refusal, "Keep it")).toBe("undo the change");
            await settled(declaring({ ...existing, ...isProtected }));
            expect(await managed()).toBe(id);

            expect(wayOf(refusal, "Replace it")).toBe(
                "undo the change, set deletionProtection: false and run `pulumi up`; then make the change again",
            );
            await up(declaring({ ...existing, ...unprotected }));
            const changed = { ...unprotected, ...kind.replacing };
            if (origin === "adopted") {
                const again = await failed(up(declaring({ ...existing, ...changed })));
                expect(wayOf(again, "A new resource")).toBe("remove existingId");
            }
            await up(declaring(changed));
            const [replacement = "", ...others] = ids();
            expect([replacement === id, others]).toEqual([false, []]);
            await settled();
            expect(await managed()).toBe(replacement);
        });

        test("a refused deletion is permitted first", async () => {
            const { up, declaring, existing, ids } = await deployed();
            await up(declaring({ ...existing, ...isProtected }, own));
            const refusal = await failed(up(() => undefined));
            expect(wayOf(refusal, "Delete it")).toBe(
                "declare deletionProtection: false without ignoreChanges, run `pulumi up`, repeat the command",
            );
            await up(declaring({ ...existing, ...unprotected }, own));
            await up(() => undefined);
            expect(ids()).toEqual([]);
        });

        test("a renamed resource keeps its database with an alias", async () => {
            const { up, declaring, id, ids, stack, settled, managed, shell } = await deployed();
            await up(declaring(isProtected, own));
            const refusal = await failed(up(declaring(isProtected, own, "renamed")));
            const text = wayOf(refusal, "Renamed or moved");
            const [, command = ""] =
                /^add its old URN, which `(pulumi stack --show-urns)` prints, to its option aliases$/.exec(text) ?? [];
            const [old = ""] = /urn:\S+::thing\b/.exec(await shell(command)) ?? [];
            expect(old).toBe((await stack.state("thing")).urn);
            await up(declaring(isProtected, { ...own, aliases: [old] }, "renamed"));
            expect(await managed("renamed")).toBe(id);
            expect(ids()).toEqual([id]);
            await settled();
        });

        test("an entry that was removed from the state is adopted", async () => {
            const { up, declaring, id, ids, stack, settled, managed, pulumi } = await deployed();
            await pulumi("state", "delete", (await stack.state("thing")).urn, "--force", "--yes");
            const refusal = await failed(up(declaring(isProtected)));
            const text = wayOf(refusal, "Left by an interrupted run, or removed from the state");
            const [, existingId = "", rest] = /^adopt it with existingId: "([^"]+)"(.*)$/.exec(text) ?? [];
            expect(rest).toBe(type === "Service" ? ", and declare a password" : "");
            const password = type === "Service" ? { password: "the-password-of-tests" } : {};
            await up(declaring({ ...isProtected, existingId, ...password }));
            expect(await managed()).toBe(id);
            expect(ids()).toEqual([id]);
            await settled(declaring({ ...isProtected, ...password }));
        });

        test("another existingId is taken back, or has a resource of its own", async () => {
            const { up, declaring, existing, id, stack, parent, settled, managed } = await deployed();
            const { id: other } = await kind.make(stack, parent, "other");
            const refusal = await failed(up(declaring({ ...isProtected, existingId: other })));
            const managedId = (await stack.state("thing")).id;
            expect(wayOf(refusal, `Manage ${managedId}`)).toBe(`set it to "${managedId}" or remove it`);
            await settled(declaring({ ...isProtected, existingId: managedId }));
            await settled(declaring(isProtected));
            expect(wayOf(refusal, `Manage ${other}`)).toBe("declare another resource with it");
            const { cidr } = stack.emulator.snapshot().vpcs.find((one) => one.id === other) ?? {};
            const declared = {
                Vpc: { cidr },
                Peering: { peerVpcId: "vpc-0f0f0f0f" },
                Service: {},
                ReadReplicaSet: {},
            }[type];
            await up(() => {
                declaring({ ...isProtected, ...existing })();
                declaring({ existingId: other, ...kind.named("other"), ...declared }, {}, "other")();
            });
            expect([await managed(), await managed("other")]).toEqual([id, other]);
        });

        test("what somebody has deleted is created again", async () => {
            const { up, refresh, declaring, existing, id, ids, emulator, entries, shell, settled } = await deployed();
            await up(declaring({ ...existing, ...isProtected }, own));
            untypedKinds[type].deleteByHand(emulator, id);
            if (type === "Vpc" || type === "Service") {
                // The project shows nothing at all, so the token may be another one.
                const refusal = await failed(refresh());
                const text = wayOf(refusal, "If it was really deleted");
                const [, command = ""] =
                    /^set deletionProtection: false and run `pulumi up`; then `(pulumi refresh --target [^`]+)`/.exec(
                        text,
                    ) ?? [];
                await up(declaring({ ...existing, ...unprotected }, own));
                const [{ urn } = { urn: "" }] = await entries("thing");
                await shell(command.replace("'URN'", `'${urn}'`));
            } else {
                await refresh();
            }
            expect(await entries("thing")).toEqual([]);
            if (origin === "adopted") {
                const refusal = await failed(up(declaring({ ...existing, ...isProtected }, own)));
                expect(wayOf(refusal, "A new resource")).toBe("remove existingId");
            }
            await up(declaring(isProtected, own));
            expect(ids()).toHaveLength(1);
            await settled();
        });

        const { changed: changes } = kind;
        if (changes !== undefined) {
            test("a run that reached its time limit is resumed", async () => {
                const { up, declaring, existing, id, ids, managed, emulator, settled } = await deployed();
                emulator.addFaults(["GET#1+:503,body=empty"]);
                const changed = { ...existing, ...isProtected, ...changes };
                const refusal = await failed(up(declaring(changed, { customTimeouts: { update: "3s" } })));
                expect(wayOf(refusal, "Resume")).toBe("repeat the command; nothing was rolled back");
                expect(wayOf(refusal, "More time")).toBe("increase customTimeouts.update");
                emulator.clearFaults();
                await up();
                expect([await managed(), ids()]).toEqual([id, [id]]);
                await settled();
            });
        }

        test("an entry that has lost its record is imported or adopted again", async () => {
            const { up, declaring, id, ids, stack, shell, managed, settled, exported, folder } = await deployed();
            const file = join(folder, "state.json");
            writeFileSync(file, (await exported()).replace(/"__record":/, '"__other":'));
            await shell(`pulumi stack import --file ${file}`);
            const refusal = await failed(up(declaring(isProtected)));
            const text = wayOf(refusal, host === "native" ? "Plugin" : "Dynamic provider");
            const [, command = "", rest] = /^`(pulumi state delete [^`]+)`(.*)$/.exec(text) ?? [];
            const { urn, id: managedId } = await stack.state("thing");
            // Also of a resource with Pulumi's option protect.
            await shell(command.replace("'URN'", `'${urn}'`));
            if (host === "native") {
                expect(rest).toBe(", then `pulumi import`");
                await stack.importResources([{ type: typeToken(type), name: "thing", id: managedId }]);
                await up(declaring(isProtected));
            } else {
                expect(rest).toBe(", declare its existingId, then `pulumi up`");
                await up(declaring({ ...isProtected, existingId: managedId }));
            }
            expect([await managed(), ids()]).toEqual([id, [id]]);
            await settled(declaring(isProtected));
        });
    },
);

test.each(["Vpc", "Service"] as const)(
    "a name that another %s of the program has, or frees in this run, is given as the message says",
    async (type) => {
        const kind: Kind = kinds[type];
        const { up, emulator, state } = await startStack();
        const place = (cidr: string) => (type === "Vpc" ? { cidr } : {});
        const declaring =
            (...names: readonly string[]) =>
            () => {
                for (const [index, name] of names.entries()) {
                    kind.declare(`resource-${index}`, "", { ...place(`10.${index}.0.0/16`), name }, {});
                }
            };
        await up(declaring("main"));
        emulator.addFaults([`rename${type}#1x2:503,body=empty`]);
        const refusal = await failed(up(declaring("other", "main")));
        expect(wayOf(refusal, "Its name changes in this run")).toBe("repeat the command");
        await up();
        const managed = await Promise.all(["resource-0", "resource-1"].map(async (name) => (await state(name)).id));
        expect(idsOf(type, emulator)).toEqual(managed);

        const again = await failed(up(declaring("other", "main", "main")));
        expect(again.errors.join()).toContain("of this program too; choose another name");
        await up(declaring("other", "main", "next"));
        expect(idsOf(type, emulator)).toHaveLength(3);
    },
);

if (host === "native") {
    test("a service that changes is imported after its change", async () => {
        const { emulator, importResources, state, up } = await startStack();
        const { id } = await emulator.createService(wireSize);
        emulator.setServiceStatus(id, "CONFIGURING", 60_000);
        const resources = [{ type: typeToken("Service"), name: "thing", id }];
        const { output } = await failed(importResources(resources));
        expect(output).toContain("Continue: repeat the command when the change is complete");
        await emulator.waitFor(id, "READY");
        await importResources(resources);
        expect((await state("thing")).id).toBe(id);
        const { operations } = await up(() => new Service("thing", size, { protect: true }));
        expect(operations).toEqual({ thing: "same" });
    });
}

test("a VPC is deleted as the message says although an adopted service, whose program never declared its vpcId, uses it", async () => {
    const other = await startStack();
    const { vpc, service } = await existingResources(other.emulator);
    other.emulator.updateService(service, { vpcId: vpc });
    for (const { id } of other.emulator.snapshot().peerings) {
        other.emulator.deletePeering(id);
    }
    const detaching = (declaresVpc: boolean, vpcId?: string) => () => {
        if (declaresVpc) {
            new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1", existingId: vpc });
        }
        new Service("orders", { existingId: service, ...(vpcId === undefined ? {} : { vpcId }) });
    };
    await other.up(detaching(true));
    const refusal = await failed(other.up(detaching(false)));
    const way = wayOf(refusal, "Keep what uses it");
    const [, vpcId = ""] =
        /^declare vpcId: "(\d+)" in each adopted service without it, and run `pulumi up`; then /.exec(way) ?? [];
    expect(vpcId).toBe(vpc);
    // The VPC is not in the program any more, so its deletion fails once more.
    await failed(other.up(detaching(false, vpcId)));
    await other.up(detaching(false));
    expect(other.emulator.snapshot()).toMatchObject({ vpcs: [], services: [{ service_id: service }] });
    expect((await other.up()).operations).toEqual({ orders: "same" });
});

test("an adoption of a resource with another value is corrected as the message says", async () => {
    let hidden = true;
    const other = await startStack({
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (!hidden || operationId !== "getService") {
                return answer;
            }
            hidden = false;
            return {
                ...answer,
                body: JSON.stringify({ ...(JSON.parse(answer.body) as object), region_code: "", status: "UPGRADING" }),
            };
        },
    });
    const wrong = await other.emulator.createService({ name: "wrong", region_code: "eu-west-1" });
    const right = await other.emulator.createService({ name: "right", region_code: "us-east-1" });
    const adopting = (existingId: string, regionCode: string) => () =>
        new Service("orders", { existingId, regionCode, deletionProtection: true });
    const refusal = await failed(other.up(adopting(wrong.id, "us-east-1")));
    expect(refusal.errors.join()).toContain("was adopted with another value than the declared one");
    const [command = ""] = [/`(pulumi state delete[^`]+)`/.exec(wayOf(refusal, "Adopt another one"))?.[1]];

    await other.up(adopting(wrong.id, "eu-west-1"));
    expect((await other.up()).operations).toEqual({ orders: "same" });

    await shellIn(other, command);
    await other.up(adopting(right.id, "us-east-1"));
    expect((await other.state("orders")).id).toBe(right.id);
    expect(other.emulator.snapshot().services).toHaveLength(2);
});
