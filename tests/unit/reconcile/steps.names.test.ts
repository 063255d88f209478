import { linesOf, lowerNames, respond, network, operations, service, timed, withWay } from "../../support/fixtures";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

const rejected = '{"code":"REJECTED","message":"the name is taken"}';

const kinds = {
    renameService: { type: "Service", noun: "service", inputs: service(), others: {}, free: "updateService" },
    renameVpc: { type: "Vpc", noun: "VPC", inputs: network, others: { cidr: "10.9.0.0/16" }, free: "updateVpc" },
} as const;

/** Two resources, and an update that gives the first one the name of the second. */
async function start(operation: keyof typeof kinds) {
    const world = await simulate();
    const { type, noun, inputs, others, free } = kinds[operation];
    const lifecycle = untypedLifecycles[type];
    const named = (name: string, more: object = {}) => ({ ...inputs, __urn: `urn::${name}`, ...more, name });
    const { id, state } = await lifecycle.create(named("orders"), world.run());
    const other = await lifecycle.create(named("bills", others), world.run());
    return {
        world,
        id,
        other: `${noun} ${other.id}`,
        free: () => world.emulator[free](other.id, { name: "free" }),
        update: () => lifecycle.update(id, state, { ...named("bills"), __urn: "urn::orders" }, world.run()),
    };
}

describe.each(["renameService", "renameVpc"] as const)("%s", (operation) => {
    it.each([400, 409, 422])(
        "to a name that another one has, rejected with %d, names that one at once",
        async (status) => {
            const { world, update, other } = await start(operation);
            world.fault.at(operation, respond(status, rejected));
            const { error, tookMs } = await timed(world, update);
            const text = `${operation} was rejected: ${status} REJECTED: the name is taken. The name "bills" is that of ${other}.`;
            expect(error).toMatchObject({ message: expect.stringContaining(text) as string });
            expect(error).toMatchObject(withWay("Its name changes in this run", expect.stringContaining("swap names")));
            expect(tookMs).toBeLessThan(5_000);
        },
    );

    it("to a free name is repeated after a rejection, because the platform may maintain the resource", async () => {
        const { world, update, free } = await start(operation);
        free();
        world.fault.at(operation, respond(409, rejected), 1);
        expect(await update()).toMatchObject({ name: "bills" });
        expect(operations(world).at(-1)).toBe(operation);
    });
});

it("a rename that was rejected while the service was busy is repeated, also if another one has the name", async () => {
    const { world, id, update } = await start("renameService");
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

it("a rename whose new name the API shows otherwise fails, and declaring what it shows leads out", async () => {
    const { world, id, update } = await withService(service({ name: "older" }), { intercept: lowerNames });
    const { error, tookMs } = await timed(world, () => update(service({ name: "Orders" })));
    expect(error?.message).toContain(
        '"rename "older" -> "Orders"" without lasting effect (name is "orders", declared "Orders")',
    );
    expect(tookMs).toBeGreaterThan(40_000);
    const { state } = error as never as { state: never };
    const shown = service({ name: "orders" });
    const completed = await Service.update(id, state, shown, world.run());
    expect(operations(world)).toEqual(["renameService"]);
    expect(linesOf(Service.plan(completed, shown))).toEqual([]);
});
