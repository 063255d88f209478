import { respond, network, operations, service, timed, withWay } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate, type Simulation } from "../../support/simulation";

const { Service, Vpc } = lifecycles;

const rejected = '{"code":"REJECTED","message":"the name is taken"}';

/** Two resources, and an update that gives the first one the name of the second. */
const kinds = {
    renameService: async (world: Simulation) => {
        const declared = (name: string) => ({ ...service({ name }), __urn: `${service().__urn}-${name}` });
        const { id, state } = await Service.create(declared("orders"), world.run());
        const other = await Service.create(declared("bills"), world.run());
        return {
            id,
            other: `service ${other.id}`,
            free: () => world.emulator.updateService(other.id, { name: "free" }),
            update: () => Service.update(id, state, { ...declared("orders"), name: "bills" }, world.run()),
        };
    },
    renameVpc: async (world: Simulation) => {
        const declared = (name: string) => ({ ...network, name, __urn: `${network.__urn}-${name}` });
        const { id, state } = await Vpc.create(declared("orders"), world.run());
        const other = await Vpc.create({ ...declared("bills"), cidr: "10.9.0.0/16" }, world.run());
        return {
            id,
            other: `VPC ${other.id}`,
            free: () => world.emulator.updateVpc(other.id, { name: "free" }),
            update: () => Vpc.update(id, state, { ...declared("orders"), name: "bills" }, world.run()),
        };
    },
};

describe.each(["renameService", "renameVpc"] as const)("%s", (operation) => {
    it.each([400, 409, 422])(
        "to a name that another one has, rejected with %d, names that one at once",
        async (status) => {
            const world = await simulate();
            const { update, other } = await kinds[operation](world);
            world.fault.at(operation, respond(status, rejected));
            const { error, tookMs } = await timed(world, update);
            const text = `${operation} was rejected: ${status} REJECTED: the name is taken. The name "bills" is that of ${other}.`;
            expect(error).toMatchObject({ message: expect.stringContaining(text) as string });
            expect(error).toMatchObject(withWay("Its name changes in this run", expect.stringContaining("swap names")));
            expect(tookMs).toBeLessThan(5_000);
        },
    );

    it("to a free name is repeated after a rejection, because the platform may maintain the resource", async () => {
        const world = await simulate();
        const { update, free } = await kinds[operation](world);
        free();
        world.fault.at(operation, respond(409, rejected), 1);
        expect(await update()).toMatchObject({ name: "bills" });
        expect(operations(world).at(-1)).toBe(operation);
    });
});

it("a rename that was rejected while the service was busy is repeated, also if another one has the name", async () => {
    const world = await simulate();
    const { id, update } = await kinds.renameService(world);
    world.fault.at(
        "renameService",
        (...call) => {
            world.emulator.setServiceStatus(id, "CONFIGURING", 3_000);
            return respond(409, rejected)(...call);
        },
        1,
    );
    expect(await update()).toMatchObject({ name: "bills" });
});
