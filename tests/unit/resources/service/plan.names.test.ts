import type { Interceptor } from "../../../../emulator";
import type { Row } from "../../../../provider/contract/registry";
import { lifecycles } from "../../../support/lifecycles";
import { lacking } from "../../../support/apiVariants";
import { call, failure, operations, projectId, service } from "../../../support/fixtures";
import { simulate, type Simulation } from "../../../support/simulation";

const { Service } = lifecycles;
const minute = 60_000;

/** A service with the name "old". */
const start = async (world: Simulation) => {
    const created = await Service.create(service({ name: "old" }), world.run());
    world.changes();
    return created;
};

/** Another resource of the program manages the service with this id. */
const managing = (id: string, inputs: object): Row[] => [
    {
        urn: "urn::other",
        manages: { type: "Service", projectId, id },
        declared: { type: "Service", inputs, identity: undefined },
    },
];

const answered =
    (status: number, body: string): Interceptor =>
    () =>
        Promise.resolve({ status, headers: {}, body });

describe("changed names of services", () => {
    it("a changed name of a service is one request, and the next plan is empty", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        expect(Service.plan(state, service({ name: "new" }))).toMatchObject({
            replace: [],
            steps: [{ text: 'rename "old" -> "new"' }],
            stateChanges: [],
        });
        const next = await Service.update(id, state, service({ name: "new" }), world.run());
        expect(world.changes()).toEqual(['renameService {"name":"new"}']);
        expect(next).toMatchObject({ name: "new", serviceId: id });
        expect(Service.plan(next, service({ name: "new" }))).toEqual({
            replace: [],
            steps: [],
            stateChanges: [],
        });
        expect(world.warnings).toEqual([]);
    });

    it("a changed name is not sent again if a killed run has sent it", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        world.emulator.updateService(id, { name: "new" });
        const next = await Service.update(id, state, service({ name: "new" }), world.run());
        expect(operations(world)).toEqual([]);
        expect(next.name).toBe("new");
    });

    it("adding or removing a name in the program changes nothing while the name is the same", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        const removed = await Service.update(id, state, service(), world.run());
        expect(removed.name).toBe("old");
        const added = await Service.update(id, removed, service({ name: "old" }), world.run());
        expect(added.name).toBe("old");
        expect(world.changes()).toEqual([]);
    });

    it("a changed name is a step of an adoption", async () => {
        const world = await simulate();
        const { id } = await start(world);
        const declared = service({ existingId: id, name: "new" });
        expect(await Service.describeAdoption(id, declared, world.run())).toEqual([
            `adopt service "${id}"`,
            'rename "old" -> "new"',
        ]);
        expect((await Service.create(declared, world.run())).state.name).toBe("new");
        expect(world.changes()).toEqual(['renameService {"name":"new"}']);
    });
});

describe("names that another service has", () => {
    it("two services can swap their names without a warning", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        const other = await call(world, "createService", {}, { name: "new" });
        const others = managing(other.service_id, { name: "old" });
        await Service.update(id, state, service({ name: "new" }), world.run({ others }));
        expect(world.warnings).toEqual([]);
    });

    it("a new service can have the name of a service that the program renames", async () => {
        const world = await simulate();
        const { id } = await start(world);
        const others = managing(id, { name: "retired" });
        const created = await Service.create(service({ name: "old" }), world.run({ others }));
        expect(created.id).not.toBe(id);
        expect(world.warnings).toEqual([]);
    });

    it("a new service cannot have the name of a service that keeps it", async () => {
        const world = await simulate();
        const { id } = await start(world);
        const others = managing(id, {});
        const second = Service.create(service({ name: "old" }), world.run({ others }));
        await expect(second).rejects.toThrow(
            `already exists: resource "other" of this program manages it (${id}).\nContinue: declare another`,
        );
    });
});

describe("APIs without the operation that renames a service", () => {
    const renamed = service({ name: "new", environment: "PROD" });

    it.each([
        ["404", answered(404, '{"code":"NOT_FOUND","message":"no such path"}')],
        ["405", answered(405, '{"code":"METHOD_NOT_ALLOWED","message":"no"}')],
        ["404 of a web server", answered(404, "404 page not found")],
        ["405 without a body", answered(405, "")],
    ])(
        "an API that cannot rename a service is recognized by %s while the service can be read, within a minute and before any other step",
        async (_, act) => {
            const world = await simulate();
            const { id, state } = await start(world);
            world.fault.at("renameService", act);
            const beganAt = world.clock.now();
            const failed = await failure(Service.update(id, state, renamed, world.run()));
            expect(failed.message).toMatch(
                /: renameService was rejected: renameService .*40[45].* The API may not have this operation\.\nContinue: declare name: "old" again\nDetails: /,
            );
            expect(Service.plan(failed.state as typeof state, renamed).replace).toEqual([]);
            expect(world.clock.now() - beganAt).toBeLessThan(minute);
            expect(operations(world)).toEqual([]);
        },
    );

    it("a few 404s do not mean that the API cannot rename a service", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        world.fault.at("renameService", answered(404, "<html>not found</html>"), 3);
        expect((await Service.update(id, state, renamed, world.run())).name).toBe("new");
    });

    it("a deleted service does not mean that the API cannot rename a service", async () => {
        const world = await simulate();
        const { id, state } = await start(world);
        world.fault.at("renameService", (_, carryOut) => {
            world.emulator.deleteService(id);
            return carryOut();
        });
        await expect(Service.update(id, state, renamed, world.run())).rejects.toThrow("no longer exists");
    });

    it("an adopted service that the API cannot rename stays in the state under its present name", async () => {
        const world = await simulate({ intercept: lacking("renameService") });
        const { id } = await start(world);
        const failed = await failure(Service.create(service({ existingId: id, name: "new" }), world.run()));
        expect(failed.message).toContain("The API may not have this operation.");
        expect([failed.id, failed.state]).toMatchObject([id, { name: "old" }]);
    });
});
