import { Client } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { ApiError } from "../../provider/api/callErrors";
import type { Settings } from "../../provider/api/settings";
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

/** What is rejected, the request, its operation and method, the status and code of the response, and a part of its message. */
type Refusal = readonly [
    reason: string,
    call: (world: World) => Promise<unknown>,
    operation: OperationId,
    method: string,
    status: number,
    code: string | undefined,
    says: string,
];

const [unauthenticated, forbidden] = ["UNAUTHENTICATED", "FORBIDDEN"];
const unknown = { service_id: "nosuchone1" };
const notANetwork = { name: "net", region_code: "us-east-1", cidr: "not a network" };

const duringCreation = async (world: World) => {
    const { service_id } = (await call("createService")(world)) as { service_id: string };
    await call("resizeService", { service_id })(world);
};
const inUse = async (world: World) => call("deleteVpc", await world.make("Peering"))(world);
const inUnknownProject = (world: World) => call("listVpcs")({ ...world, project: "nosuchone1" });

it.each<Refusal>([
    [
        "an unknown token",
        call("listVpcs", {}, { token: "wr0ng-token" }),
        "listVpcs",
        "GET",
        401,
        unauthenticated,
        "valid",
    ],
    [
        "a foreign project",
        call("listServices", {}, { token: strangersToken }),
        "listServices",
        "GET",
        403,
        forbidden,
        "may not use project emulator01",
    ],
    [
        "a read-only token",
        call("createVpc", {}, { token: "reader-token" }),
        "createVpc",
        "POST",
        403,
        forbidden,
        "may only read",
    ],
    ["an unknown service", call("getService", unknown), "getService", "GET", 404, "NOT_FOUND", "nosuchone1"],
    ["an unknown project", inUnknownProject, "listVpcs", "GET", 404, "NOT_FOUND", "There is no project nosuchone1"],
    ["a service in creation", duringCreation, "resizeService", "POST", 409, "CONFLICT", "QUEUED"],
    ["a VPC with a peering", inUse, "deleteVpc", "DELETE", 409, "CONFLICT", "peering"],
    [
        "an invalid value",
        call("createVpc", {}, { body: notANetwork }),
        "createVpc",
        "POST",
        400,
        "INVALID_REQUEST",
        "not a network",
    ],
    [
        "a password for an unknown service",
        call("updatePassword", unknown, { body: { password } }),
        "updatePassword",
        "POST",
        404,
        undefined,
        "the message of the API is hidden",
    ],
])(
    "a rejected request throws an ApiError without a secret for %s, and only 401 and 403 are retried",
    async (_, call, operation, method, status, code, says) => {
        const world = await startClient(options);
        const error = await failureOf(call(world), ApiError);

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
