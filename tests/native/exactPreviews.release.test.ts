import { Output } from "@pulumi/pulumi";
import fc from "fast-check";
import * as sdk from "../../sdk/nodejs";
import type { ResourceType } from "../../provider/resources";
import { RunFailed, removeStacks, startStack, type EngineRun, type Program, type TestStack } from "../support/engine";
import { clientOf } from "../support/existing";
import { createScene, expectExactPreview, type PreviewedStack } from "../support/previewChecks";
import { changesOf, forms, type Change } from "../support/random";

/**
 * Random programs with the real engine. CLOUDDB_PROPERTY_RUNS sets their number for each kind of resource, and
 * CLOUDDB_SEED the seed.
 */
const runs = Number(process.env.CLOUDDB_PROPERTY_RUNS ?? 1);
const seed = Number(process.env.CLOUDDB_SEED ?? 1);
/** Every operation of the emulator completes before the first poll. */
const speed = 1_000;
/** Longer than any operation of the emulator at this speed. */
const settledMs = 150;
/** Much longer than a program takes, for a busy machine. */
const limitMs = 60_000 + runs * 60_000;

afterEach(removeStacks);

test.each(forms.map(({ type, form }, index) => [type, index, form] as const))(
    "every known output of a preview is the result of the update, and every step a request in order: %s (%s)",
    async (type, _index, form) => {
        await fc.assert(
            fc.asyncProperty(changesOf(type, form), (change) => previewIn(type, change)),
            { numRuns: runs, seed, endOnFailure: true },
        );
    },
    limitMs,
);

test("a resize that is cut, and then taken back", async () => {
    const change = {
        from: {},
        between: { cpuMillis: 1000 },
        to: {},
        event: "cutUpdate",
        fails: "",
        unknowns: [],
    } as const;
    await previewIn("Service", change);
});

async function previewIn(type: ResourceType, change: Change): Promise<void> {
    const stack = await startStack({ speed, seed: 1, peerings: "immediate", movingEndpoints: true });
    const settle = () => new Promise<void>((resolve) => setTimeout(resolve, settledMs));
    const scene = await createScene(clientOf(stack.emulator), stack.emulator, settle);
    await expectExactPreview(type, change, scene, stackOf(stack));
    await removeStacks();
}

type Values = Record<string, unknown>;

const resourceName = "it";
const gateName = "gate";

/** A stack of the engine. A VPC that each update creates is the reason why inputs are unknown in a preview. */
function stackOf(stack: TestStack): PreviewedStack {
    const { emulator } = stack;
    return {
        emulator,
        entry: async () => (await stack.entries(resourceName)).find((entry) => entry.delete !== true),
        preview: async (type, inputs, hidden) => {
            const { program, seen } = programOf(type, inputs, hidden);
            const { messages, operations } = await unlessFailed(stack.preview(program));
            const lines = messages[resourceName] ?? [];
            return {
                operation: operations[resourceName] as "create",
                lines,
                steps: lines.filter((line) => /^\d+ /.test(line)).map((line) => line.replace(/^\d+ /, "")),
                known: seen,
            };
        },
        up: async (type, inputs, hidden) => {
            const { program, seen } = programOf(type, inputs, hidden);
            await unlessFailed(stack.up(program));
            return { outputs: seen };
        },
        refresh: async () => {
            await stack.refresh();
        },
        changes: () => {
            const entries = emulator.changes();
            emulator.clearJournal();
            return entries
                .filter(({ status = 500 }) => status < 400)
                .filter(({ body }) => (body as { name?: string } | undefined)?.name !== gateName)
                .map(({ operationId }) => operationId ?? "");
        },
    };
}

/** A program with the resource, and the outputs that it sees: in a preview, those that are known. */
function programOf(
    type: ResourceType,
    inputs: Readonly<Values>,
    hidden: readonly string[],
): { readonly program: Program; readonly seen: Values } {
    const seen: Values = {};
    const program = () => {
        const gated: Values = {};
        if (hidden.length > 0) {
            const gate = new sdk.Vpc(gateName, { name: gateName, cidr: "10.99.0.0/16", regionCode: "us-east-1" });
            for (const name of hidden) {
                gated[name] = gate.vpcId.apply(() => inputs[name]);
            }
        }
        const resource = new sdk[type](resourceName, { ...inputs, ...gated } as never);
        for (const [name, output] of Object.entries(resource)) {
            if (Output.isInstance(output) && name !== "urn") {
                output.apply((value) => (seen[name] = value));
            }
        }
    };
    return { program, seen };
}

/** The run. Throws an error with the errors of the resource if the run failed. */
async function unlessFailed(running: Promise<EngineRun>): Promise<EngineRun> {
    try {
        return await running;
    } catch (error) {
        throw error instanceof RunFailed ? new Error(error.run.errors.join("\n")) : error;
    }
}
