import { ComponentResource, rootStackResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { JournalEntry } from "../../emulator";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import {
    host,
    protectedResources,
    startStack,
    type EngineRun,
    type Program,
    type TestStack,
    typeToken,
} from "../support/engine";

// What only the engine shows: its own options and commands. tests/unit/docs/pulumiFeatures.test.ts refers to these tests
// by title.

const namesIn = ({ emulator }: TestStack) => emulator.snapshot().services.map(({ name }) => name);

describe("options of a resource", () => {
    let stack: TestStack;
    let readyAtCreation: string[];
    let created: Record<string, string>;
    let changed: EngineRun;
    let calls: Record<string, string[]>;
    let journal: JournalEntry[];

    const shop = () => new ComponentResource("shop:Shop", "shop");
    // The dynamic host rejects it.
    const replaceOnChanges = host === "native" ? { replaceOnChanges: ["replicaCount"] } : {};
    const service = (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}) =>
        new Service(name, { name: `the ${name}`, ...args }, opts);

    beforeAll(async () => {
        readyAtCreation = [];
        stack = await startStack({
            intercept: (exchange, carryOut) => {
                if ((exchange.request.body ?? "").includes("the dependent")) {
                    const services = stack.emulator.snapshot().services;
                    readyAtCreation = services.filter(({ status }) => status === "READY").map(({ name }) => name);
                }
                return carryOut();
            },
        });
        await stack.up(() => {
            service("dependent", {}, { dependsOn: service("dependency") });
            service("transformed", {}, { transforms: [protect] });
            service("ignoring", {}, { ignoreChanges: ["replicaCount"] });
            service("replacing", {}, replaceOnChanges);
            service("retained", { deletionProtection: true }, { retainOnDelete: true });
            service("sequential", {}, { deleteBeforeReplace: true });
            new Service("before");
            new Service("child");
        });
        created = Object.fromEntries(
            await Promise.all(
                ["before", "child", "replacing", "sequential"].map(
                    async (name) => [name, (await stack.state(name)).id] as const,
                ),
            ),
        );
        stack.calls();
        changed = await stack.up(after);
        journal = stack.emulator.journal();
        calls = stack.callsByName();
    });

    const protect = ({ props, opts }: { props: object; opts: CustomResourceOptions }) => ({
        props: { ...props, deletionProtection: true },
        opts: { ...opts, customTimeouts: { create: "7m" } },
    });
    const after: Program = () => {
        service("dependent", {}, { dependsOn: service("dependency") });
        service("transformed", {}, { transforms: [protect] });
        service("ignoring", { replicaCount: 1 }, { ignoreChanges: ["replicaCount"] });
        service("replacing", { replicaCount: 1 }, replaceOnChanges);
        service("sequential", { regionCode: "eu-central-1" }, { deleteBeforeReplace: true });
        new Service("after", {}, { aliases: [{ name: "before" }] });
        new Service("child", {}, { parent: shop(), aliases: [{ parent: rootStackResource }] });
    };

    test("dependsOn: a resource is created when the one that it depends on is ready", () => {
        expect(readyAtCreation).toContain("the dependency");
    });

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

    test("deleteBeforeReplace: the old resource is deleted first", () => {
        expect(changed.operations).toMatchObject({ sequential: "replace" });
        const isDeletion = ({ path, operationId }: JournalEntry) =>
            operationId === "deleteService" && path.endsWith(`/${created.sequential ?? ""}`);
        const isCreation = ({ body, operationId }: JournalEntry) =>
            operationId === "createService" && JSON.stringify(body).includes("the sequential");
        const order = journal.flatMap((entry) =>
            isDeletion(entry) ? ["delete the old one"] : isCreation(entry) ? ["create the new one"] : [],
        );
        expect(order).toEqual(["delete the old one", "create the new one"]);
        expect(namesIn(stack).filter((name) => name === "the sequential")).toHaveLength(1);
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

    test("hideDiffs: a preview hides the values of the property, and lists the steps", async () => {
        const hiding = await startStack();
        // If nothing else changes, Pulumi 3.250 prints the old inputs of a resource of a plugin, and not what is hidden.
        const program = (replicaCount: number, connectionPooler: boolean) => () => {
            new Service("orders", { replicaCount, connectionPooler }, { hideDiffs: ["replicaCount"] });
        };
        await hiding.up(program(0, false));
        const { messages } = await hiding.preview(program(1, true), { diff: true });
        expect(hiding.printed()).toMatch(/~ replicaCount \(hidden\)/);
        expect(hiding.printed()).not.toMatch(/replicaCount *: 0/);
        expect(messages.orders?.join("\n")).toMatch(/^\d HA replicas none -> 1/m);
    });

    test("import: the plugin imports a resource, with a dynamic provider the command fails before it changes anything", async () => {
        const { id } = await stack.state("renamed");
        const importing = stack.pulumi(
            "import",
            typeToken("Service"),
            "imported",
            id,
            "--yes",
            "--generate-code=false",
        );
        if (host === "native") {
            await importing;
            expect((await stack.state("imported")).inputs).toMatchObject({ name: "the replacing", replicaCount: 0 });
            expect(stack.calls()).toEqual([]);
            return;
        }
        await expect(importing).rejects.toMatchObject({ stdout: expect.stringContaining("toJavaScript") as string });
        expect(await stack.entries("imported")).toEqual([]);
        expect(stack.calls()).toEqual([]);
    });
});
