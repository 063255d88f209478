import { readOptions } from "../../provider/api/client";
import { lifecycles } from "../../provider/resources";
import { PartialFailure } from "../../provider/lifecycle/errors";
import type { ServiceInputs } from "../../provider/resources/service/service";
import { closeSimulations, simulate } from "../support/simulation";

afterEach(closeSimulations);

const { ReadReplicaSet, Service } = lifecycles;
const projectId = "emulator01";
const inputs = (change: ServiceInputs = {}) => ({
    projectId,
    __urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::orders",
    ...change,
});

interface Secrets {
    initialPassword?: string;
    connectionString?: string;
}

describe("a service whose initial password was in an answer that was lost", () => {
    it.each(["createService:reset-after", "createService:truncated", "createService:502,body=html,carriedOut"])(
        "gets a new one, so that it can be opened all the same (%s)",
        async (fault) => {
            const world = await simulate({ faults: [fault] });
            const { id, state } = await Service.create(inputs(), world.run());
            const { initialPassword = "", connectionString } = state as Secrets;
            expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
            expect(connectionString).toContain(`:${initialPassword}@`);
            expect(Service.describe(state, inputs()).lines).toEqual([]);
        },
    );

    it("gets it in the next run where the first one failed before that", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "updatePassword:400"] });
        const failed: unknown = await Service.create(inputs(), world.run()).catch((error: unknown) => error);
        expect(failed).toBeInstanceOf(PartialFailure);
        const { id, state } = failed as PartialFailure & { state: never };
        expect(Service.describe(state, inputs()).lines).toEqual([
            "set a new password, because the initial one was lost",
        ]);
        const next = await Service.update(id, state, inputs(), world.run());
        expect(world.emulator.passwordMatches(id, (next as Secrets).initialPassword ?? "")).toBe(true);
        expect(Service.describe(next, inputs()).lines).toEqual([]);
    });

    it("needs none where the program declares a password", async () => {
        const world = await simulate({ faults: ["createService:reset-after"] });
        const declared = inputs({ password: "declared-password" });
        const { id } = await Service.create(declared, world.run());
        expect(world.emulator.passwordMatches(id, "declared-password")).toBe(true);
        expect(world.changes().filter((call) => call.startsWith("updatePassword"))).toHaveLength(1);
    });

    it("keeps the password that it has where it is taken over: others may use it", async () => {
        const world = await simulate();
        const { service_id: existingId, initial_password: password = "" } = await world.client.createService(
            projectId,
            {
                name: "wild",
            },readOptions,
        );
        await Service.create(inputs({ existingId }), world.run());
        expect(world.emulator.passwordMatches(existingId, password)).toBe(true);
    });
});

describe("a creation whose answer was lost, and that cannot be looked for either", () => {
    it("fails with what is the matter: nobody knows whether it was carried out", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "listServices#3+:403"] });
        const failed = Service.create(inputs(), world.run());
        await expect(failed).rejects.toThrow("The API may have processed the request");
    });
});

describe("a list that misses an entry for a moment", () => {
    it("is no reason to make a second one of the same name", async () => {
        const world = await simulate({ faults: ["listServices#2:omit"] });
        await world.client.createService(projectId, { name: "orders" }, readOptions);
        await world.client.listServices(projectId, readOptions);
        await expect(Service.create(inputs({ name: "orders" }), world.run())).rejects.toThrow("already exists");
        expect(world.emulator.snapshot().counts.services.made).toBe(1);
    });

    it("is no reason to take a read replica set for gone", async () => {
        const world = await simulate();
        const { id: serviceId } = await Service.create(inputs(), world.run());
        const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2 };
        const { id, state } = await ReadReplicaSet.create({ ...inputs(), serviceId, ...size }, world.run());
        world.emulator.addFaults(["listReplicaSets#1:omit"]);
        expect((await ReadReplicaSet.read(id, state, world.run()))?.state).toEqual(state);
    });
});
