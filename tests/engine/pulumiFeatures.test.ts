import { spawn } from "node:child_process";
import { ComponentResource, rootStackResource, type CustomResourceOptions } from "@pulumi/pulumi";
import type { JournalEntry } from "../../emulator";
import { Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import {
    failed,
    host,
    packageName,
    protectedResources,
    removeStacks,
    startStack,
    type EngineRun,
    type Program,
    type TestStack,
    typeToken,
} from "../support/engine";
import { fromText, startProject, type TestProject } from "../support/project";

// What only the engine shows: its own options and commands. tests/unit/docs/pulumiFeatures.test.ts refers to these tests
// by title.

const limitMs = 120_000;

afterAll(removeStacks);

const namesIn = ({ emulator }: TestStack) => emulator.snapshot().services.map(({ name }) => name);

describe("options of a resource", () => {
    let stack: TestStack;
    let readyAtCreation: string[];
    let created: Record<string, string>;
    let changed: EngineRun;
    let calls: Record<string, string[]>;
    let journal: JournalEntry[];

    const shop = () => new ComponentResource("shop:Shop", "shop");
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
            service("replacing", {}, { replaceOnChanges: ["replicaCount"] });
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
        changed = await stack.up(after(true));
        journal = stack.emulator.journal();
        calls = stack.callsByName();
    }, limitMs);

    const protect = ({ props, opts }: { props: object; opts: CustomResourceOptions }) => ({
        props: { ...props, deletionProtection: true },
        opts: { ...opts, customTimeouts: { create: "7m" } },
    });
    const after =
        (aliased: boolean): Program =>
        () => {
            const [oldName, oldParent] = aliased ? [{ name: "before" }, { parent: rootStackResource }] : [];
            service("dependent", {}, { dependsOn: service("dependency") });
            service("transformed", {}, { transforms: [protect] });
            service("ignoring", { replicaCount: 1 }, { ignoreChanges: ["replicaCount"] });
            service("replacing", { replicaCount: 1 }, { replaceOnChanges: ["replicaCount"] });
            service("sequential", { regionCode: "eu-central-1" }, { deleteBeforeReplace: true });
            new Service("after", {}, oldName && { aliases: [oldName] });
            new Service("child", {}, { parent: shop(), ...(oldParent && { aliases: [oldParent] }) });
        };

    test("dependsOn: a resource is created when the one that it depends on is ready", () => {
        expect(readyAtCreation).toContain("the dependency");
    });

    test("transforms: they change inputs, but the options of the resource do not follow", async () => {
        const { inputs, outputs } = await stack.state("transformed");
        expect(inputs).toMatchObject({ deletionProtection: true });
        expect(outputs).not.toHaveProperty("__timeouts");
        expect(await protectedResources(stack)).toEqual([]);
    });

    test("ignoreChanges: the input keeps its old value", () => {
        expect(changed.operations).toMatchObject({ ignoring: "same" });
        expect(calls).not.toHaveProperty("the ignoring");
    });

    test("replaceOnChanges: the plugin replaces the resource, a dynamic provider changes it in place", async () => {
        const { id } = await stack.state("replacing");
        // A dynamic provider cannot tell the engine which property changes.
        if (host === "native") {
            expect(changed.operations).toMatchObject({ replacing: "replace" });
            expect(id).not.toBe(created.replacing);
        } else {
            expect(changed.operations).toMatchObject({ replacing: "update" });
            expect(calls["the replacing"]).toEqual(["setHA"]);
            expect(id).toBe(created.replacing);
        }
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

    test("--replace: the resource is replaced in one run", async () => {
        const old = await stack.state("ignoring");
        await stack.up(
            () => {
                service("ignoring");
            },
            { target: [old.urn], replace: [old.urn] },
        );
        expect(stack.calls()).toEqual(["createService", "deleteService"]);
        expect((await stack.state("ignoring")).id).not.toBe(old.id);
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

test(
    "deletedWith: Pulumi removes the resource from the state, and the deletion of the other one fails",
    async () => {
        const stack = await startStack();
        await stack.up(() => {
            const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
            new Service("orders", { vpcId: network.vpcId, regionCode: "us-east-1" }, { deletedWith: network });
        });
        const { errors } = await failed(stack.destroy());
        expect(errors.join("\n")).toMatch(/VPC .* it contains service/);
        expect(await stack.entries("orders")).toEqual([]);
        expect(stack.emulator.snapshot().services).toHaveLength(1);
    },
    limitMs,
);

// The plugin also ends the operation in progress, at the first Ctrl-C: tests/native/cancellation.test.ts.
(host === "dynamic" ? describe : describe.skip)("Ctrl-C", () => {
    let project: TestProject;

    const program = `
const { Service } = require("${packageName}");
const first = new Service("first", { name: "first" });
new Service("second", { name: "second" }, { dependsOn: first });
`;

    beforeAll(async () => {
        project = await startProject(fromText(program), { durations: { create: 100_000 } });
    }, limitMs);

    /** Runs `pulumi up` and presses Ctrl-C this number of times during the creation of the service. */
    async function cancel(name: string, times: number): Promise<{ code: number | null; output: string }> {
        const options = { cwd: project.folder, env: project.environment(), detached: true };
        const child = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], options);
        let output = "";
        const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
        const until = async (holds: () => boolean) => {
            while (!holds() && child.exitCode === null) {
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        };
        for (const stream of [child.stdout, child.stderr]) {
            stream.on("data", (data: Buffer) => (output += data.toString()));
        }
        const { emulator } = project;
        await until(() => emulator.snapshot().services.some((service) => service.name === name));
        for (let time = 1; time <= times; time++) {
            // A terminal sends the signal to the whole process group.
            process.kill(-(child.pid ?? NaN), "SIGINT");
            await until(() => output.split("^C received").length > time);
        }
        return { code: await ended, output };
    }

    const exported = async () =>
        JSON.parse((await project.pulumi("stack", "export")).stdout) as {
            deployment: { resources: { urn: string; outputs?: { status?: string } }[]; pending_operations?: object[] };
        };

    test(
        "Ctrl-C: the operation in progress ends, and no other begins",
        async () => {
            const { code, output } = await cancel("first", 1);
            expect({ code, output }).toMatchObject({
                code: 1,
                output: expect.stringContaining("update canceled") as string,
            });
            const { deployment } = await exported();
            expect(deployment.resources.at(-1)).toMatchObject({ outputs: { status: "READY" } });
            expect(deployment.pending_operations ?? []).toEqual([]);
            expect(project.emulator.snapshot().services).toHaveLength(1);
        },
        limitMs,
    );

    test(
        "Ctrl-C twice: the run ends at once, and the error of the next one begins with the interruption",
        async () => {
            expect(await cancel("second", 2)).not.toMatchObject({ code: 0 });
            expect((await exported()).deployment.pending_operations).toHaveLength(1);
            const { stdout } = await project.failing("up", "--yes", "--skip-preview");
            expect(stdout).toContain("interrupted while creating");
            expect(stdout).toMatch(/error: Service "second" already exists/);

            await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
            expect((await exported()).deployment.pending_operations ?? []).toEqual([]);
        },
        limitMs,
    );
});
