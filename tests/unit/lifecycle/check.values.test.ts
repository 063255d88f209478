import * as emulatorRules from "../../../emulator/world/rules";
import { documentedCpuMillis } from "../../../emulator/world/sizes";
import type { Stored } from "../../../provider/model/resource";
import { ApiError, CloudDbError } from "../../../provider/api/callErrors";
import { sessionsOn } from "../../support/hosts";
import { untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

// Each rule of the emulator on a value is one of the check: what the emulator rejects with the documented limits, the preview rejects
// or warns about. Not covered, because the preview cannot know it: other resources of the project, and the age of the parent of a fork.

/** What only the 400 of the API says, as the owner has decided: nobody declares these by accident. */
const leftToTheApi = /control characters|^(sync_)?replica_count |^nodes must be/;

type Values = Readonly<Record<string, unknown>>;

/** The values at each limit of the emulator. */
const limits = Object.values(emulatorRules).filter((value) => typeof value === "number");
const numbers = [...limits, ...documentedCpuMillis].flatMap((limit) => [limit - 1, limit, limit + 1]);
const small = [0, 1, 2, 3, -1, 1.5, 1e21, 1e-7];
const texts = [
    ...limits.flatMap((limit) => [-1, 0, 1].map((more) => "x".repeat(limit + more)).concat("\u{1f600}".repeat(limit))),
    ...["", " ", "x", "0", "shared"],
    ...["\t", "\n", "\u0000", "\u0085", "\u007f"].map((control) => `a${control}b-of-a-name`),
    ...["10.0.0.0/08", "10.0.0.0/8", "10.0.0.1/8", "010.0.0.0/8", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/8 "],
    ...["172.32.0.0/16", "us-east-1", "us-east-9", "2026-01-31T12:00:00Z", "2026-13-31T12:00:00Z"],
];
const others = [true, [], ["ai"], ["ai", "ai"], ["time-series", "ai"], ["x"], {}];
const pool: readonly unknown[] = [...new Set([...numbers, ...small, ...texts]), ...others];

const pairs = (left: string, right: string, values: readonly unknown[]): Values[] =>
    values.flatMap((one) => values.map((other) => ({ [left]: one, [right]: other })));

const sizes = [undefined, "shared", 0.5, 1, 2, 3, 4, 500, 750, 1000];

async function start() {
    const world = await simulate({ peerings: "immediate", speed: 1_000, dialect: "limits" });
    const create = async (type: keyof typeof untypedLifecycles, inputs: Values) => {
        const projectId = world.emulator.projectId;
        return (await untypedLifecycles[type].create({ projectId, ...inputs }, world.run())).id;
    };
    const vpcId = await create("Vpc", { __urn: "urn::network", cidr: "172.16.0.0/16", regionCode: "us-east-1" });
    const serviceId = await create("Service", { __urn: "urn::orders" });
    const cases = {
        Vpc: { base: { cidr: "10.0.0.0/24", regionCode: "us-east-1" }, more: [] },
        Peering: { base: { vpcId, peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" }, more: [] },
        Service: {
            base: {},
            more: [
                ...pairs("replicaCount", "syncReplicaCount", [undefined, 0, 1, 2, 3]),
                ...pairs("cpuMillis", "memoryGbs", sizes),
            ],
        },
        ReadReplicaSet: { base: { serviceId, cpuMillis: 500 }, more: pairs("cpuMillis", "memoryGbs", sizes) },
    } as const;
    return { world, cases };
}

it.each(["Vpc", "Peering", "Service", "ReadReplicaSet"] as const)(
    "what the emulator rejects in a %s, the check rejects or warns about",
    async (type) => {
        const { world, cases } = await start();
        const { projectId } = world.emulator;
        const { startSession } = sessionsOn(world);
        const { base, more } = cases[type];
        const lifecycle = untypedLifecycles[type];
        // References to other resources, and where to find the password, are no values of requests.
        const excluded = ["projectId", "existingId", "vpcId", "serviceId", "passwordFile", "passwordVariable"];
        const names = Object.keys(lifecycle.resource.fields).filter((name) => !excluded.includes(name));
        const given: Values[] = [...names.flatMap((name) => pool.map((value) => ({ [name]: value }))), ...more];
        const missed: [Values, string | undefined][] = [];
        let accepted = 0;
        for (const [index, change] of given.entries()) {
            const inputs = { projectId, __urn: `urn::${index}`, deletionProtection: false, ...base, ...change };
            const { problems, notices } = lifecycle.in(startSession()).check(inputs, {});
            if (problems.length + notices.length > 0) {
                continue;
            }
            const created = await lifecycle.create(inputs, world.run()).catch((error: unknown) => error);
            const cause = created instanceof CloudDbError ? (created.cause ?? created) : created;
            const isRejected = cause instanceof ApiError && [400, 422].includes(cause.status);
            if (isRejected && !leftToTheApi.test(cause.apiMessage ?? "")) {
                missed.push([change, cause.apiMessage]);
            }
            accepted += 1;
            if (!(created instanceof Error)) {
                const { id, state } = created as Stored;
                await lifecycle.delete(id, { ...state, deletionProtection: false }, world.run());
            }
        }
        expect(missed).toEqual([]);
        expect(accepted).toBeGreaterThan(1);
    },
);
