import { Client } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { ApiError } from "../../provider/api/callErrors";
import type { Settings } from "../../provider/api/settings";
import { everythingIn, failureOf, leaksOf, withToken } from "../support/client";
import { TestClock } from "../support/virtualClock";
import { callOperation } from "./exercises";
import { startClient, type Ids, type World } from "./world";

interface Refusal {
    readonly reason: string;
    readonly call: (world: World) => Promise<unknown>;
    readonly is: { operation: OperationId; method: string; status: number; code: string | undefined };
    /** A part of the API's message. */
    readonly says: string;
}

const strangersToken = "str4nger-token";
const password = "Pa55word-of-a-user";
const options = {
    callers: [
        { token: strangersToken, projects: ["elsewhere1"] },
        { token: "reader-token", readOnly: true },
    ],
    projects: [{ id: "elsewhere1", name: "Elsewhere" }],
};
/** A client whose pauses take no time. */
function clientWith(settings: Settings): Client {
    const clock = TestClock.automatic();
    return new Client(settings, { clock, adapter: clock.network });
}

/** Calls an operation, by default with the body of its exercise, as the client of the test. */
const call =
    (id: OperationId, ids: Ids = {}, { body, token }: { body?: unknown; token?: string } = {}) =>
    ({ client, emulator, project }: World): Promise<unknown> => {
        const caller = token === undefined ? client : clientWith(withToken(emulator.url, token));
        return callOperation(id, caller, project, ids, body);
    };

const refusals: readonly Refusal[] = [
    {
        reason: "an unknown token",
        call: call("listVpcs", {}, { token: "wr0ng-token" }),
        is: { operation: "listVpcs", method: "GET", status: 401, code: "UNAUTHENTICATED" },
        says: "The access token is not valid",
    },
    {
        reason: "a project that the token cannot access",
        call: call("listServices", {}, { token: strangersToken }),
        is: { operation: "listServices", method: "GET", status: 403, code: "FORBIDDEN" },
        says: "may not use project emulator01",
    },
    {
        reason: "a change with a read-only token",
        call: call("createVpc", {}, { token: "reader-token" }),
        is: { operation: "createVpc", method: "POST", status: 403, code: "FORBIDDEN" },
        says: "may only read",
    },
    {
        reason: "an unknown service",
        call: call("getService", { service_id: "nosuchone1" }),
        is: { operation: "getService", method: "GET", status: 404, code: "NOT_FOUND" },
        says: "nosuchone1",
    },
    {
        reason: "an unknown project",
        call: (world) => call("listVpcs")({ ...world, project: "nosuchone1" }),
        is: { operation: "listVpcs", method: "GET", status: 404, code: "NOT_FOUND" },
        says: "There is no project nosuchone1",
    },
    {
        reason: "a service that is being created",
        call: async (world) => {
            const { service_id } = (await call("createService")(world)) as { service_id: string };
            await call("resizeService", { service_id })(world);
        },
        is: { operation: "resizeService", method: "POST", status: 409, code: "CONFLICT" },
        says: "QUEUED",
    },
    {
        reason: "a VPC with a peering",
        call: async (world) => call("deleteVpc", await world.make("Peering"))(world),
        is: { operation: "deleteVpc", method: "DELETE", status: 409, code: "CONFLICT" },
        says: "peering",
    },
    {
        reason: "an invalid value",
        call: call("createVpc", {}, { body: { name: "net", region_code: "us-east-1", cidr: "not a network" } }),
        is: { operation: "createVpc", method: "POST", status: 400, code: "INVALID_REQUEST" },
        says: "not a network",
    },
    {
        reason: "a password for an unknown service",
        call: call("updatePassword", { service_id: "nosuchone1" }, { body: { password } }),
        is: { operation: "updatePassword", method: "POST", status: 404, code: undefined },
        says: "the message of the API is hidden",
    },
];

it.each(refusals)(
    "a rejected request throws an ApiError without a secret for $reason, and only 401 and 403 are retried",
    async ({ call, is, says }) => {
        const world = await startClient(options);
        const error = await failureOf(call(world), ApiError);

        expect(error).toMatchObject(is);
        expect(error.apiMessage).toContain(says);
        const ofRequest = [
            is.operation,
            [is.status, is.code].join(" ").trim(),
            `${is.method} ${error.path}`,
            error.requestId,
        ];
        for (const part of [says, ...ofRequest]) {
            expect(error.message).toContain(part);
        }
        const journal = world.emulator.journal();
        expect(error.requestId).toBe(journal.at(-1)?.requestId);
        const requests = new Set(journal.map(({ method, path }) => `${method} ${path}`));
        expect(requests.size < journal.length).toBe([401, 403].includes(is.status));

        const secrets = [world.emulator.token, strangersToken, "wr0ng-token", "reader-token", password];
        expect(leaksOf(error, ...secrets)).toEqual([]);
        expect(everythingIn(error)).not.toMatch(/authorization|bearer/i);
    },
);
