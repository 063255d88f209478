import { Client } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { operations } from "../../provider/api/operations.gen";
import { ApiError } from "../../provider/api/callErrors";
import { everythingIn, failureOf, leaksOf, withToken } from "../support/client";
import { TestClock } from "../support/virtualClock";
import { callOperation } from "./exercises";
import { startClient, type Ids, type World } from "./world";

const strangersToken = "str4nger-token";
const password = "Pa55word-of-a-user";
const options = {
    callers: [
        { token: strangersToken, projects: ["elsewhere1"] },
        { token: "reader-token", readOnly: true },
    ],
    projects: [{ id: "elsewhere1", name: "Elsewhere" }],
};

interface Parts {
    readonly ids?: Ids;
    readonly body?: unknown;
    readonly token?: string;
    readonly project?: string;
}

/** Calls an operation, by default with the body of its exercise, as the client of the test. */
const call = (world: World, id: OperationId, { ids = {}, body, token, project = world.project }: Parts = {}) => {
    // Its pauses take no time.
    const clock = TestClock.automatic();
    const stranger = new Client(withToken(world.emulator.url, token ?? ""), { clock, adapter: clock.network });
    return callOperation(id, token === undefined ? world.client : stranger, project, ids, body);
};

/** What is rejected, the operation, its parts, the status and the code of the response, and a part of its message. */
type Refusal = readonly [
    reason: string,
    operation: OperationId,
    parts: Parts | ((world: World) => Promise<Parts>),
    status: number,
    code: string | undefined,
    says: string,
];

const [unauthenticated, forbidden] = ["UNAUTHENTICATED", "FORBIDDEN"];
const unknown = { service_id: "nosuchone1" };
const notANetwork = { name: "net", region_code: "us-east-1", cidr: "not a network" };

const newService = async (world: World) => ({ ids: (await call(world, "createService")) as Ids });
const inUse = async ({ make }: World) => ({ ids: await make("Peering") });

it.each<Refusal>([
    ["an unknown token", "listVpcs", { token: "wr0ng-token" }, 401, unauthenticated, "valid"],
    ["a foreign project", "listServices", { token: strangersToken }, 403, forbidden, "may not use project emulator01"],
    ["a read-only token", "createVpc", { token: "reader-token" }, 403, forbidden, "may only read"],
    ["an unknown service", "getService", { ids: unknown }, 404, "NOT_FOUND", "nosuchone1"],
    ["an unknown project", "listVpcs", { project: "nosuchone1" }, 404, "NOT_FOUND", "There is no project nosuchone1"],
    ["a service in creation", "resizeService", newService, 409, "CONFLICT", "QUEUED"],
    ["a VPC with a peering", "deleteVpc", inUse, 409, "CONFLICT", "peering"],
    ["an invalid value", "createVpc", { body: notANetwork }, 400, "INVALID_REQUEST", "not a network"],
    [
        "a password for an unknown service",
        "updatePassword",
        { ids: unknown, body: { password } },
        404,
        "",
        "the message of the API is hidden",
    ],
])(
    "a rejected request throws an ApiError without a secret for %s, and only 401 and 403 are retried",
    async (_, operation, parts, status, code, says) => {
        const world = await startClient(options);
        const given = typeof parts === "function" ? await parts(world) : parts;
        const error = await failureOf(call(world, operation, given), ApiError);

        const { method } = operations[operation];
        expect(error).toMatchObject({ operation, method, status, code });
        expect(error.apiMessage).toContain(says);
        const ofRequest = [operation, [status, code].join(" ").trim(), `${method} ${error.path}`, error.requestId];
        for (const part of [says, ...ofRequest]) {
            expect(error.message).toContain(part);
        }
        const journal = world.emulator.journal();
        expect(error.requestId).toBe(journal.at(-1)?.requestId);
        const requests = new Set(journal.map((one) => `${one.method} ${one.path}`));
        expect(requests.size < journal.length).toBe([401, 403].includes(status));

        const secrets = [world.emulator.token, strangersToken, "wr0ng-token", "reader-token", password];
        expect(leaksOf(error, ...secrets)).toEqual([]);
        expect(everythingIn(error)).not.toMatch(/authorization|bearer/i);
    },
);
