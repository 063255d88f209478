import { ComponentResource, rootStackResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { host, protectedResources, startStack, type EngineRun, type Program, type TestStack } from "../support/engine";

// What only the engine shows: its own options and commands.

const namesIn = ({ emulator }: TestStack) => emulator.snapshot().services.map(({ name }) => name);

describe("options of a resource", () => {
    let stack: TestStack;
    let created: Record<string, string>;
    let changed: EngineRun;
    let calls: Record<string, string[]>;

    const shop = () => new ComponentResource("shop:Shop", "shop");
    // The dynamic host rejects it.
    const replaceOnChanges = host === "native" ? { replaceOnChanges: ["replicaCount"] } : {};
    const service = (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}) =>
        new Service(name, { name: `the ${name}`, ...args }, opts);

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(() => {
            service("transformed", {}, { transforms: [protect] });
            service("ignoring", {}, { ignoreChanges: ["replicaCount"] });
            service("replacing", {}, replaceOnChanges);
            service("retained", { deletionProtection: true }, { retainOnDelete: true });
            new Service("before");
            new Service("child");
        });
        created = Object.fromEntries(
            await Promise.all(
                ["before", "child", "replacing"].map(async (name) => [name, (await stack.state(name)).id] as const),
            ),
        );
        stack.calls();
        changed = await stack.up(after);
        calls = stack.callsByName();
    });

    const protect = ({ props, opts }: { props: object; opts: CustomResourceOptions }) => ({
        props: { ...props, deletionProtection: true },
        opts: { ...opts, customTimeouts: { create: "7m" } },
    });
    const after: Program = () => {
        service("transformed", {}, { transforms: [protect] });
        service("ignoring", { replicaCount: 1 }, { ignoreChanges: ["replicaCount"] });
        service("replacing", { replicaCount: 1 }, replaceOnChanges);
        new Service("after", {}, { aliases: [{ name: "before" }] });
        new Service("child", {}, { parent: shop(), aliases: [{ parent: rootStackResource }] });
    };

    test("transforms: they change inputs, but the options of the resource do not follow", async () => {
        const { inputs, outputs } = await stack.state("transformed");
        expect(inputs).toMatchObject({ deletionProtection: true });
        expect(outputs.__record).not.toHaveProperty("timeouts");
        expect(await protectedResources(stack)).toEqual([]);
    });

    test("ignoreChanges: the input keeps its old value", () => {
        expect(changed.operations).toMatchObject({ ignoring: "same" });
        expect(calls).not.toHaveProperty("the ignoring");
    });

    test("replaceOnChanges: the plugin replaces the resource", async () => {
        const isReplaced = host === "native";
        expect(changed.operations).toMatchObject({ replacing: isReplaced ? "replace" : "update" });
        expect((await stack.state("replacing")).id !== created.replacing).toBe(isReplaced);
    });

    test("retainOnDelete: the resource leaves the state and stays", async () => {
        expect(changed.operations).toMatchObject({ retained: "delete" });
        expect(await stack.entries("retained")).toEqual([]);
        expect(namesIn(stack)).toContain("the retained");
    });

    test("aliases: a resource with a new name or a new parent stays the same, even if its name is generated", async () => {
        expect(changed.operations).toMatchObject({ after: "same" });
        expect((await stack.state("after")).id).toBe(created.before);
        expect((await stack.state("child")).id).toBe(created.child);
        expect((await stack.state("child")).urn).toContain("shop:Shop$");
    });

    test("state rename: the resource stays the same, and --target updates it alone", async () => {
        const { urn, id } = await stack.state("replacing");
        await stack.pulumi("state", "rename", urn, "renamed", "--yes");
        const renamed = await stack.state("renamed");
        const { operations } = await stack.up(
            () => {
                service("renamed", { name: "the replacing", replicaCount: 0 });
                service("ignoring", { replicaCount: 1 });
            },
            { target: [renamed.urn] },
        );
        expect(operations).toMatchObject({ renamed: "update", ignoring: "same" });
        expect(stack.callsByName()).toEqual({ "the replacing": ["setHA"] });
        expect(await stack.state("renamed")).toMatchObject({ id, outputs: { replicaCount: 0 } });
    });
});
