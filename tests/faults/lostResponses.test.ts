import { readOptions } from "../../provider/api/client";
import { lifecycles } from "../support/lifecycles";
import { PartialFailure } from "../../provider/lifecycle/errors";
import type { ServiceInputs } from "../../provider/resources/service/service";
import { simulate } from "../support/simulation";
import { linesOf } from "../support/fixtures";

const { ReadReplicaSet, Service } = lifecycles;
const projectId = "emulator01";
const inputs = (change: ServiceInputs = {}) => ({
    projectId,
    __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::orders",
    deletionProtection: true,
    ...change,
});

interface Secrets {
    initialPassword?: string;
    connectionString?: string;
}

describe("a lost response with the initial password", () => {
    it.each(["createService:reset-after", "createService:truncated", "createService:502,body=html,carriedOut"])(
        "a service whose initial password was in a lost response gets a new password (%s)",
        async (fault) => {
            const world = await simulate({ faults: [fault] });
            const { id, state } = await Service.create(inputs(), world.run());
            const { initialPassword = "", connectionString } = state as Secrets;
            expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
            expect(connectionString).toContain(`:${initialPassword}@`);
            expect(linesOf(Service.plan(state, inputs()))).toEqual([]);
        },
    );

    it("a service whose initial password was in a lost response gets a new password in the next run if the first run failed before that", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "updatePassword:400"] });
        const failed: unknown = await Service.create(inputs(), world.run()).catch((error: unknown) => error);
        expect(failed).toBeInstanceOf(PartialFailure);
        const { id, state } = failed as PartialFailure & { state: never };
        expect(linesOf(Service.plan(state, inputs()))).toEqual([
            "set a new password, because the initial one was lost",
        ]);
        const next = await Service.update(id, state, inputs(), world.run());
        expect(world.emulator.passwordMatches(id, (next as Secrets).initialPassword ?? "")).toBe(true);
        expect(linesOf(Service.plan(next, inputs()))).toEqual([]);
    });

    it("a lost response causes no new password if the program declares one", async () => {
        const world = await simulate({ faults: ["createService:reset-after"] });
        const declared = inputs({ password: "declared-password" });
        const { id } = await Service.create(declared, world.run());
        expect(world.emulator.passwordMatches(id, "declared-password")).toBe(true);
        expect(world.changes().filter((call) => call.startsWith("updatePassword"))).toHaveLength(1);
    });

    it("an adopted service keeps its password, because others may use it", async () => {
        const world = await simulate();
        const { service_id: existingId, initial_password: password = "" } = await world.client.call(
            "createService",
            {
                path: { project_id: projectId },
                body: {
                    name: "wild",
                },
            },
            readOptions,
        );
        await Service.create(inputs({ existingId }), world.run());
        expect(world.emulator.passwordMatches(existingId, password)).toBe(true);
    });
});

describe("a creation whose response is lost, and whose search fails", () => {
    it("a creation whose response is lost and that cannot be found fails and says that its result is unknown", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "listServices#3+:403"] });
        const failed = Service.create(inputs(), world.run());
        await expect(failed).rejects.toThrow(/may not have been created: .*\nFind out: run `pulumi up` again/);
    });
});

describe("a list that misses an entry for a moment", () => {
    it("a list that misses an entry for a moment does not cause a duplicate", async () => {
        const world = await simulate({ faults: ["listServices#2:omit"] });
        await world.client.call(
            "createService",
            { path: { project_id: projectId }, body: { name: "orders" } },
            readOptions,
        );
        await world.client.call("listServices", { path: { project_id: projectId } }, readOptions);
        await expect(Service.create(inputs({ name: "orders" }), world.run())).rejects.toThrow("already exists");
        expect(world.emulator.snapshot().counts.services.made).toBe(1);
    });

    it("a list that misses an entry for a moment does not remove a read replica set from the state", async () => {
        const world = await simulate();
        const { id: serviceId } = await Service.create(inputs(), world.run());
        const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2 };
        const { id, state } = await ReadReplicaSet.create({ ...inputs(), serviceId, ...size }, world.run());
        world.emulator.addFaults(["listReplicaSets#1:omit"]);
        expect((await ReadReplicaSet.read(id, state, world.run()))?.state).toEqual(state);
    });
});
