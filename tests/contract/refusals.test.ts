import { Client, readOptions } from "../../provider/api/client";
import type { Settings } from "../../provider/api/settings";
import { ApiError } from "../../provider/api/errors";
import { everythingIn, failureOf, leaksOf, withKeyPair, withToken } from "../support/client";
import { aVpc, startClient, type World } from "./world";
import { closeWorlds } from "../support/emulator";
import { TestClock } from "../support/virtualClock";

afterEach(closeWorlds);

interface Refusal {
    readonly reason: string;
    readonly call: (world: World) => Promise<unknown>;
    readonly is: { operation: string; method: string; status: number; code: string };
    readonly path: string;
    /** A part of the API's message. */
    readonly says: string;
    /** A part of the remedy in the message. */
    readonly advises: string;
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
const as = (world: World, token: string) => clientWith(withToken(world.emulator.url, token));

const refusals: readonly Refusal[] = [
    {
        reason: "an unknown token",
        call: (world) =>
            as(world, "wr0ng-token").call("listVpcs", { path: { project_id: world.project } }, readOptions),
        is: { operation: "listVpcs", method: "GET", status: 401, code: "UNAUTHENTICATED" },
        path: "/projects/emulator01/vpcs",
        says: "The access token is not valid",
        advises: "The API rejected the token in CLOUDDB_ACCESS_TOKEN: set CLOUDDB_ACCESS_TOKEN to a valid one.",
    },
    {
        reason: "a project that the token cannot access",
        call: (world) =>
            as(world, strangersToken).call("listServices", { path: { project_id: world.project } }, readOptions),
        is: { operation: "listServices", method: "GET", status: 403, code: "FORBIDDEN" },
        path: "/projects/emulator01/services",
        says: "may not use project emulator01",
        advises: "clouddb:projectId",
    },
    {
        reason: "a change with a read-only token",
        call: (world) =>
            as(world, "reader-token").call(
                "createVpc",
                { path: { project_id: world.project }, body: aVpc },
                readOptions,
            ),
        is: { operation: "createVpc", method: "POST", status: 403, code: "FORBIDDEN" },
        path: "/projects/emulator01/vpcs",
        says: "may only read",
        advises: "may modify it",
    },
    {
        reason: "an unknown service",
        call: ({ client, project }) =>
            client.call("getService", { path: { project_id: project, service_id: "nosuchone1" } }, readOptions),
        is: { operation: "getService", method: "GET", status: 404, code: "NOT_FOUND" },
        path: "/projects/emulator01/services/nosuchone1",
        says: "nosuchone1",
        advises: "may have been deleted",
    },
    {
        reason: "an unknown project",
        call: ({ client }) => client.call("listVpcs", { path: { project_id: "nosuchone1" } }, readOptions),
        is: { operation: "listVpcs", method: "GET", status: 404, code: "NOT_FOUND" },
        path: "/projects/nosuchone1/vpcs",
        says: "There is no project nosuchone1",
        advises: "clouddb:projectId",
    },
    {
        reason: "a service that is being created",
        call: async ({ client, project }) => {
            const { service_id: id } = await client.call(
                "createService",
                { path: { project_id: project }, body: { name: "busy" } },
                readOptions,
            );
            await client.call(
                "resizeService",
                { path: { project_id: project, service_id: id }, body: { cpu_millis: "1000", memory_gbs: "4" } },
                readOptions,
            );
        },
        is: { operation: "resizeService", method: "POST", status: 409, code: "CONFLICT" },
        path: "/resize",
        says: "QUEUED",
        advises: "busy, in the wrong state",
    },
    {
        reason: "a VPC with a peering",
        call: async ({ client, project, make }) =>
            client.call(
                "deleteVpc",
                { path: { project_id: project, vpc_id: (await make("peering")).vpc } },
                readOptions,
            ),
        is: { operation: "deleteVpc", method: "DELETE", status: 409, code: "CONFLICT" },
        path: "/projects/emulator01/vpcs/",
        says: "peering",
        advises: "another resource depends on it",
    },
    {
        reason: "an invalid value",
        call: ({ client, project }) =>
            client.call(
                "createVpc",
                { path: { project_id: project }, body: { ...aVpc, cidr: "not a network" } },
                readOptions,
            ),
        is: { operation: "createVpc", method: "POST", status: 400, code: "INVALID_REQUEST" },
        path: "/projects/emulator01/vpcs",
        says: "not a network",
        advises: "Correct the values",
    },
    {
        reason: "a password for an unknown service",
        call: ({ client, project }) =>
            client.call(
                "updatePassword",
                { path: { project_id: project, service_id: "nosuchone1" }, body: { password } },
                readOptions,
            ),
        is: { operation: "updatePassword", method: "POST", status: 404, code: "NOT_FOUND" },
        path: "/projects/emulator01/services/nosuchone1/updatePassword",
        says: "nosuchone1",
        advises: "may have been deleted",
    },
];

describe("rejected requests", () => {
    it.each(refusals)(
        "a rejected request throws an ApiError for $reason",
        async ({ call, is, path, says, advises }) => {
            const world = await startClient(options);
            const error = await failureOf(call(world), ApiError);

            expect(error).toMatchObject(is);
            expect(error.path).toContain(path);
            expect(error.apiMessage).toContain(says);
            expect(error.message).toContain(says);
            expect(error.message).toContain(advises);
            for (const part of [
                is.operation,
                `${is.status} ${is.code}`,
                `${is.method} ${error.path}`,
                error.requestId,
            ]) {
                expect(error.message).toContain(part);
            }
            expect(error.requestId).toBe(world.emulator.journal().at(-1)?.requestId);
        },
    );

    it.each(refusals)(
        "the ApiError of a rejected request contains no token or password, for $reason",
        async ({ call }) => {
            const world = await startClient(options);
            const error = await failureOf(call(world), ApiError);
            const secrets = [world.emulator.token, strangersToken, "wr0ng-token", "reader-token", password];
            expect(leaksOf(error, ...secrets)).toEqual([]);
            expect(everythingIn(error)).not.toMatch(/authorization|bearer/i);
        },
    );

    it("the ApiError of a rejected request contains no part of a key pair", async () => {
        const { emulator, project } = await startClient();
        const client = clientWith(withKeyPair(emulator.url, "emulator", "wr0ng-secret"));
        const error = await failureOf(
            client.call("listVpcs", { path: { project_id: project } }, readOptions),
            ApiError,
        );
        expect(error.status).toBe(401);
        expect(leaksOf(error, "wr0ng-secret", Buffer.from("emulator:wr0ng-secret").toString("base64"))).toEqual([]);
    });

    it("a rejected request is not retried, except for 401 and 403", async () => {
        for (const { call } of refusals) {
            const world = await startClient(options);
            const { status } = await failureOf(call(world), ApiError);
            const requests = world.emulator.journal().map(({ method, path }) => `${method} ${path}`);
            expect(new Set(requests).size < requests.length).toBe(status === 401 || status === 403);
        }
    });
});
