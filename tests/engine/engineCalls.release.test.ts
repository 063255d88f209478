import { writeFileSync } from "node:fs";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { fileOf, lineOf, recordedCalls } from "../support/engineCalls";
import { findPulumi, host, type TestStack } from "../support/engine";
import { peer } from "../support/existing";
import { startRecorded } from "../support/recorder";

// What the engine calls in each kind of run. tests/unit/model/ledger.test.ts compares the table of provider/model/ledger.ts with it. With CLOUDDB_RECORD_ENGINE set, this
// test writes the file; otherwise it fails if another engine calls something else.

const regionCode = "us-east-1";

/** A network with a peering, and a service. */
const shop =
    (args: ServiceArgs = {}, options: CustomResourceOptions = {}, cidr = "10.0.0.0/24") =>
    () => {
        const { vpcId } = new Vpc("net", { name: "net", cidr, regionCode });
        new Peering("office", { vpcId, ...peer });
        new Service("orders", { name: "orders", regionCode, ...args }, { protect: false, ...options });
    };
const moved = { regionCode: "eu-west-1", cpuMillis: 1000 };
const wide = "10.0.0.0/16";
const deleteBeforeReplace = true;

/** Each run continues the one before. */
const runs: Readonly<Record<string, (stack: TestStack) => Promise<unknown>>> = {
    creation: (stack) => stack.up(shop()),
    "no change": (stack) => stack.up(shop()),
    update: (stack) => stack.up(shop({ cpuMillis: 1000 })),
    replacement: (stack) => stack.up(shop(moved)),
    "replacement that deletes first, with what it uses": (stack) => stack.up(shop(moved, {}, wide)),
    "replacement that the program wants to delete first": (stack) =>
        stack.up(shop({ ...moved, regionCode }, { deleteBeforeReplace }, wide)),
    "--replace": async (stack) =>
        stack.up(shop({ ...moved, regionCode }, { deleteBeforeReplace }, wide), {
            replace: [(await stack.state("orders")).urn],
        }),
    taint: async (stack) => {
        await stack.pulumi("state", "taint", (await stack.state("orders")).urn, "--yes");
        await stack.up(shop({ ...moved, regionCode }, { deleteBeforeReplace }, wide));
    },
    // The other host does not support the option and the command.
    ...(host === "native" && {
        replaceOnChanges: (stack) =>
            stack.up(shop({ regionCode }, { deleteBeforeReplace, replaceOnChanges: ["cpuMillis"] }, wide)),
    }),
    refresh: (stack) => stack.refresh(),
    destroy: (stack) => stack.destroy(),
    ...(host === "native" && {
        import: async (stack) => {
            const { id } = await stack.emulator.createService({ name: "orders" });
            await stack.importResources([{ type: "clouddb:index:Service", name: "orders", id }]);
        },
    }),
};

test("the engine makes the calls that tests/support/engineCalls.HOST.json has", async () => {
    const { stack, take } = await startRecorded({ speed: 1_000, peerings: "immediate" });
    /** The ids of each resource, in the order of its generations. */
    const ids = new Map<string, string[]>();
    const generation = (name: string, id = "") => {
        const known = ids.get(name) ?? [];
        ids.set(name, known.includes(id) || id === "" ? known : [...known, id]);
        return id === "" ? "" : String((ids.get(name) ?? []).indexOf(id) + 1);
    };
    const recorded: Record<string, readonly string[]> = {};
    for (const [name, run] of Object.entries(runs)) {
        await run(stack);
        const lines = take().map(({ method, urn, id, olds = {}, created, replaces = false, first = false }) => {
            const resource = urn.slice(urn.lastIndexOf("::") + 2);
            return lineOf({
                method,
                name: resource,
                id: generation(resource, id),
                created: generation(resource, created),
                isKnown: method === "check" && Object.keys(olds).length > 0,
                isReplaced: replaces,
                isDeletedFirst: replaces && first,
            });
        });
        // Resources that do not need each other are in any order.
        recorded[name] = ["net", "office", "orders"].flatMap((one) =>
            lines.filter((line) => line.split(/[ ,]+/)[1] === one),
        );
    }
    const { version } = await findPulumi();
    if (process.env.CLOUDDB_RECORD_ENGINE !== undefined) {
        writeFileSync(fileOf(host), `${JSON.stringify({ engine: String(version), runs: recorded }, undefined, 4)}\n`);
    }
    expect(recorded).toEqual(recordedCalls(host).runs);
});
