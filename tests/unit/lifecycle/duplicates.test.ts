import { CloudDbError, InvalidResponseError } from "../../../provider/api/callErrors";
import type { Row } from "../../../provider/model/ledger";
import { autoName } from "../../../provider/base/names";
import type { ResourceType } from "../../../provider/resources";
import type { ServiceInputs } from "../../../provider/resources/service/inputs";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { failureOf } from "../../support/client";
import { addFaults } from "../../support/effects";
import { call, loseResponse, operations, projectId, replicaSet, service, withWay } from "../../support/fixtures";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { managing } from "../../support/provider";
import { simulate, simulateConcurrently, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;

/** The error of a lost creation if another one may have created what was found, and if nothing was found. */
const uncertain = withWay("If nobody else uses it");
const unknownResult = withWay("Find out");

describe("a creation whose name is taken fails with", () => {
    const create = (world: Simulation, change: ServiceInputs = {}) =>
        Service.create(service({ name: "orders", ...change }), world.run());

    it("every existing service of the same name, its age and its size", async () => {
        const world = await simulate();
        const { id } = await create(world);
        const other = await create(world, { name: "other" });
        world.emulator.updateService(other.id, { name: "orders" });
        world.clock.advance(120_000);
        const { message } = await failureOf(create(world), CloudDbError);
        const both = [id, other.id].map((one) => `${one} \\(created 2 min \\d s ago, 500m/2GB\\)`).join(" and ");
        expect(message).toMatch(new RegExp(`already exists: ${both} have the name "orders"`));
        expect(world.emulator.snapshot().counts.services.made).toBe(2);
    });

    it("the reason why the existing service cannot be adopted", async () => {
        const world = await simulate();
        const { id } = await create(world, { regionCode: "us-east-1" });
        const { message } = await failureOf(create(world, { regionCode: "eu-west-1" }), CloudDbError);
        expect(message).toContain(
            `Cannot be adopted: ${id}, because its regionCode is "us-east-1", and the program declares "eu-west-1"`,
        );
    });
});

it.each([1, 2])("a creation finds a service of the same name although list %i of two is stale", async (stale) => {
    let lists = stale;
    const world = await simulate({
        intercept: async ({ operationId }, carryOut) => {
            const response = await carryOut();
            const isStale = operationId === "listServices" && ++lists % 2 === 0;
            return isStale ? { ...response, body: response.body.replaceAll('"orders"', '"older"') } : response;
        },
    });
    const { service_id: id } = await call(world, "createService", {}, { name: "orders" });
    const again = Service.create(service({ name: "orders" }), world.run());
    await expect(again).rejects.toThrow(`already exists: ${id}`);
});

/** Another resource of the program manages the service with this id. */
const declaring = (id: string, inputs: object): Row[] => {
    const type = "Service";
    const declared = { type, inputs, identity: undefined };
    return [{ urn: "urn::other", ...managing({ type, projectId, id }), declared }];
};

it("two services can swap their names without a warning", async () => {
    const { world, update } = await withService(service({ name: "old" }));
    const other = await call(world, "createService", {}, { name: "new" });
    await update(service({ name: "new" }), { others: declaring(other.service_id, { name: "old" }) });
    expect(world.warnings).toEqual([]);
});

it("a new service cannot have the name of a service that keeps it", async () => {
    const { world, id } = await withService(service({ name: "old" }));
    const others = declaring(id, {});
    const second = Service.create(service({ name: "old" }), world.run({ others }));
    await expect(second).rejects.toMatchObject(withWay("Its name changes in this run"));
});

it.each(["waits for the lock of its service", "was rejected before"])(
    "a lost creation that %s does not adopt what somebody else has created meanwhile",
    async (which) => {
        const isRejected = which === "was rejected before";
        let [requests, isTheirs] = [0, false];
        const { clock, provider } = await simulateConcurrently({
            intercept: ({ operationId }, carryOut) => {
                if (operationId !== "createReplicaSet" || isTheirs) {
                    return carryOut();
                }
                const status = isRejected && requests++ === 0 ? 409 : 502;
                const body = '{"code":"BUSY","message":"busy"}';
                return Promise.resolve({ status, headers: {}, body });
            },
        });
        const { id } = await Service.create(service(), provider.run());
        const release = isRejected ? undefined : await provider.run().locks.acquire(id);
        const declared = { ...replicaSet(id), name: "set" };
        const created = failureOf(ReadReplicaSet.create(declared, provider.run()), CloudDbError);
        await clock.sleep(500);
        isTheirs = true;
        const body = { name: "set", nodes: 1, cpu_millis: 500, memory_gbs: 2 };
        const theirs = await call(provider, "createReplicaSet", { service_id: id }, body);
        isTheirs = false;
        release?.();
        expect((await created).message).toContain(`already exists: ${id}/${theirs.id}`);
    },
);

/** Another client creates a service during the creation, which may be carried out, and whose response is lost. */
async function withOtherCreation(body: object, isCarriedOut: boolean, faults: readonly string[] = []) {
    const world = await simulate();
    world.fault.at("createService", async (_, carryOut) => {
        world.fault.over();
        await call(world, "createService", {}, body);
        world.emulator.addFaults(faults);
        await (isCarriedOut && carryOut());
        return { status: 502, headers: {}, body: "" };
    });
    return world;
}

it("a creation whose response is lost does not choose between two resources that it may have created", async () => {
    const world = await withOtherCreation({ name: "orders" }, true);
    const error = await failureOf(Service.create(service({ name: "orders" }), world.run()), CloudDbError);
    expect(error).toMatchObject(uncertain);
    const ids = world.emulator.snapshot().services.map(({ service_id: id }) => id);
    expect(ids.filter((id) => error.message.includes(id))).toHaveLength(2);
    expect(operations(world)).not.toContain("updatePassword");
});

describe.each([
    ["an explicit name", service({ name: "orders" }), "orders"],
    ["a generated name, which another backend can have", service(), autoName(service().__urn)],
])("with %s", (_, orders, name) => {
    it("a creation whose request does not arrive does not adopt the database that another stack created after it", async () => {
        const world = await simulate();
        world.fault.at("createService", () => {
            let lists = 0;
            world.fault.at("listServices", async (_, carryOut) => {
                lists += 1;
                if (lists === 5) {
                    await call(world, "createService", {}, { name });
                }
                return carryOut();
            });
            return Promise.resolve({ status: 502, headers: {}, body: "" });
        });
        const error = await failureOf(Service.create(orders, world.run()), CloudDbError);
        const id = String(world.emulator.snapshot().services[0]?.service_id);
        expect(error).toMatchObject(withWay("If nobody else uses it", expect.stringContaining(id)));
        expect(operations(world)).toEqual(["createService"]);
        await expect(Service.create(orders, world.run())).rejects.toThrow("already exists");
        expect(operations(world)).toEqual([]);
    });

    it.each([0, -3_600_000, 3_600_000])(
        "a creation whose response is lost adopts the database that was created while the request was in flight, even if the local clock is off by %i ms",
        async (offMs) => {
            const world = await simulate({}, offMs);
            world.fault.at("createService", loseResponse, 1);
            const { id } = await Service.create(orders, world.run());
            expect(world.emulator.snapshot().counts.services.made).toBe(1);
            expect(world.infos).toEqual([expect.stringContaining(id)]);
        },
    );

    it("a creation whose response is lost adopts nothing if the API sends no Date header", async () => {
        const world = await simulate({
            intercept: async (_, carryOut) => {
                const { status, body, headers } = await carryOut();
                return { status, body, headers: { ...headers, date: "" } };
            },
        });
        world.fault.at("createService", loseResponse, 1);
        await expect(Service.create(orders, world.run())).rejects.toMatchObject(uncertain);
    });

    const elsewhere = { region_code: "eu-west-1", addons: ["ai"] };

    it.each<[what: string, error: object, body: object, declared?: ServiceInputs, faults?: string[]]>([
        ["was created at the same moment but differs from the request", uncertain, { environment_tag: "PROD" }],
        ["somebody else created, while its own is hidden", uncertain, {}, {}, ["createService:hidden,ms=8000"]],
        ["is in another region", unknownResult, elsewhere, { regionCode: "us-east-1" }],
        ["is of another type", unknownResult, elsewhere, { addons: ["time-series"] }],
    ])(
        "a creation whose response is lost does not adopt a database that %s",
        async (_what, error, body, declared = {}, faults = []) => {
            const world = await withOtherCreation({ name, ...body }, faults.length > 0, faults);
            await expect(Service.create({ ...orders, ...declared }, world.run())).rejects.toMatchObject(error);
        },
    );
});

it("a creation whose response is lost does not use the resource that it replaces", async () => {
    let hidden = "";
    const world = await simulate({
        intercept: async (exchange, carryOut) => {
            if (exchange.operationId === "createService" && hidden !== "") {
                hidden = "";
                return { status: 502, headers: {}, body: "" };
            }
            const answer = await carryOut();
            return exchange.operationId === "listServices" && hidden !== "" ? { ...answer, body: "[]" } : answer;
        },
    });
    const { id } = await Service.create(service({ name: "orders" }), world.run());
    hidden = id;
    const again = Service.create(service({ name: "orders" }), world.run({ replacing: id }));
    await expect(again).rejects.toMatchObject(unknownResult);
});

/** The API describes another object in this call. */
const confuse = (world: Simulation, operation: string) => addFaults(world.emulator, [`${operation}:otherObject`]);

describe("a creation whose response describes another object", () => {
    it("manages the new service, with a password that it accepts", async () => {
        const world = await simulate();
        await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
        confuse(world, "createService");
        const { id, state } = await Service.create(service(), world.run());
        const created = world.emulator.snapshot().services.at(-1);
        expect(id).toBe(created?.service_id);
        expect(state).toMatchObject({ name: created?.name });
        const { initialPassword = "" } = state as { initialPassword?: string };
        expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
    });

    it("does not manage a service that somebody else creates at the same time", async () => {
        const world = await simulate();
        world.fault.at("createService", async (_, carryOut) => {
            world.fault.over();
            const theirs = await call(world, "createService", {}, { name: "theirs" });
            const response = await carryOut();
            return { ...response, body: JSON.stringify(theirs) };
        });
        const { id } = await Service.create(service({ name: "orders" }), world.run());
        const { services } = world.emulator.snapshot();
        expect(services.map(({ name }) => name)).toEqual(["theirs", "orders"]);
        expect(id).toBe(services[1]?.service_id);
    });

    it("a fork manages the new service, and not the parent", async () => {
        const world = await simulate();
        const parent = await Service.create(service({ name: "parent" }), world.run());
        confuse(world, "forkService");
        const fork = { serviceId: parent.id, strategy: "NOW" } as const;
        const { id, state } = await Service.create({ ...service({ fork }), __urn: "urn:copy" }, world.run());
        expect(id).toBe(world.emulator.snapshot().services.at(-1)?.service_id);
        expect(state).toMatchObject({ forkedFrom: { serviceId: parent.id } });
    });

    it("a creation of another kind finds the new object, or names it in the error", async () => {
        const world = await simulate();
        const created: Partial<Record<ResourceType, string>> = {};
        for (const type of ["Vpc", "Service", "Peering", "ReadReplicaSet"] as const) {
            const { creations, inputs, items } = untypedKinds[type];
            const create = (index: number) => {
                const declared = { ...inputs(refsTo(created), index), projectId, __urn: `urn::${type}-${index}` };
                return untypedLifecycles[type].create(declared, world.run());
            };
            await create(1);
            confuse(world, Object.keys(creations)[0] ?? "");
            const outcome = await create(0).then(({ id }) => id, String);
            const made = items(world.emulator.snapshot()).at(-1)?.id ?? "none";
            expect(outcome).toContain(made);
            created[type] = made;
        }
    });

    it.each([
        ["existed before the request", true, { name: "older" }],
        ['has the name "invented"', false, { name: "invented" }],
    ])("fails if it %s, and nothing was created", async (says, isOld, change) => {
        const world = await simulate();
        const { service_id: older } = await call(world, "createService", {}, { name: "older" });
        world.clock.advance(3_600_000);
        world.fault.at("createService", ({ request }) => {
            const [listed] = world.emulator.snapshot().services;
            const created = new Date(world.clock.now()).toISOString();
            const sent = JSON.parse(request.body ?? "") as object;
            const body = { ...listed, created, ...sent, service_id: isOld ? older : "new0000000", ...change };
            return Promise.resolve({ status: 202, headers: {}, body: JSON.stringify(body) });
        });
        const declared = service({ name: "orders", regionCode: "us-east-1" });
        const error = await failureOf(Service.create(declared, world.run()), CloudDbError);
        expect(error.cause).toBeInstanceOf(InvalidResponseError);
        expect(error.message).toMatch(new RegExp(`describes \\w+, which ${says}`));
    });
});
