import { timesOfDeletion } from "../../../provider/lifecycle/delete";
import type { EmulatorResponse, Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { lastCopyMs } from "../../../provider/resources/service/lastCopy";
import { lastCopyName } from "../../../provider/resources/service/lastCopyName";
import { call, loseResponse, operations, refuse, replicaSet, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";

const { ReadReplicaSet, Service } = lifecycles;
const [minute, hour] = [60_000, 3_600_000];

const orders = service({ name: "orders", finalFork: true });
type Created = Awaited<ReturnType<typeof Service.create>>;

const create = (world: Simulation, inputs = orders) => Service.create(inputs, world.run());
const remove = (world: Simulation, { id, state }: Created, timeMs = lastCopyMs) =>
    Service.remove(id, state, world.run({ timeMs }));
const services = (world: Simulation) => world.emulator.snapshot().services;
const named = (world: Simulation, id: string) => services(world).find((one) => one.service_id === id);

/** A fork as an interrupted deletion leaves it. */
async function beginCopy(world: Simulation, serviceId: string, requestedAt = world.clock.now()): Promise<string> {
    const name = lastCopyName.format({ name: "orders", serviceId, requestedAt });
    const body = { name, fork_strategy: "NOW" };
    return (await call(world, "forkService", { service_id: serviceId }, body)).service_id;
}

/** The deletion succeeds, and leaves these copies, the first of which it made or completed. */
async function expectCopies(world: Simulation, db: Created, ...others: string[]) {
    await remove(world, db);
    expect(named(world, db.id)).toBeUndefined();
    const [copy, ...rest] = services(world)
        .map((one) => one.service_id)
        .sort((left, right) => others.indexOf(left) - others.indexOf(right));
    expect(rest).toEqual(others);
    return copy ?? "";
}

describe("a deletion with finalFork", () => {
    it("deletes the service once a fork of it is ready and paused, and prints what restores it", async () => {
        const world = await simulate();
        const db = await create(world);
        world.changes();
        await remove(world, db);
        const [copy, ...others] = services(world);
        expect(others).toEqual([]);
        const { service_id: id = "", created = "" } = copy ?? {};
        expect(copy).toMatchObject({ status: "PAUSED", forked_from: { service_id: db.id } });
        expect(copy?.name).toMatch(new RegExp(`^orders-last-copy-${db.id}-\\d{8}T\\d{9}Z$`));
        expect(operations(world)).toEqual(["forkService", "stopService", "deleteService"]);
        expect(world.infos).toEqual([
            `the last copy of service ${db.id} is ${id}, with the data of ${created}. It is paused, and in no stack.\n` +
                `Restore it: declare a service with existingId: "${id}", paused: false and a new password`,
        ]);
        const restored = await Service.create(
            service({ existingId: id, paused: false, password: "new-password" }),
            world.run(),
        );
        expect(restored).toMatchObject({ id, state: { status: "READY", currentPassword: "new-password" } });
    });

    it("the value in the state counts: an update records it without a request", async () => {
        const world = await simulate();
        const { id, state } = await create(world, service({ name: "orders" }));
        world.changes();
        const updated = await Service.update(id, state, orders, world.run());
        expect(operations(world)).toEqual([]);
        const reverted = await Service.update(id, updated, service({ name: "orders" }), world.run());
        await remove(world, { id, state: reverted });
        expect(services(world)).toEqual([]);
        const kept = await create(world, service({ name: "orders" }));
        await remove(world, { id: kept.id, state: await Service.update(kept.id, kept.state, orders, world.run()) });
        expect(services(world)).toMatchObject([{ forked_from: { service_id: kept.id } }]);
    });

    it("has the default time limit of a fork and a deletion", async () => {
        const world = await simulate();
        const { state } = await create(world);
        expect(timesOfDeletion(Service.resource, state).delete).toBe(12.5 * hour);
        expect(timesOfDeletion(Service.resource, { ...state, finalFork: false } as typeof state).delete).toBe(hour / 2);
    });

    it("a long name is shortened", async () => {
        const world = await simulate();
        const db = await create(world, { ...orders, name: `${"n".repeat(86)}😀${"n".repeat(30)}` });
        await remove(world, db);
        const [{ name } = { name: "" }] = services(world);
        expect(name).toMatch(/^n{86}-last-copy-/);
        expect(name.length).toBe(127);
    });

    it("resumes a paused service", async () => {
        const world = await simulate();
        const db = await create(world, { ...orders, paused: true });
        world.changes();
        await remove(world, db);
        expect(operations(world)).toEqual(["startService", "forkService", "stopService", "deleteService"]);
    });

    it.each([
        ["is paused again after a failed copy", [], "PAUSED"],
        ["or the error says that it runs", ["stopService#1+:400"], "READY"],
    ])("a paused service %s", async (_, faultOfPause, status) => {
        const world = await simulate();
        const db = await create(world, { ...orders, paused: true });
        world.emulator.addFaults(["forkService#1+:400", ...faultOfPause]);
        const error = await remove(world, db).catch((caught: unknown) => caught);
        expect(named(world, db.id)).toMatchObject({ status });
        const says = "\nPause it again: it was paused, and runs now: `pulumi up --refresh`\n";
        expect(String(error).includes(says)).toBe(status === "READY");
    });

    it.each(["UNSTABLE", "UPGRADING", "CONFIGURING"])("waits while the service is %s", async (status) => {
        const world = await simulate();
        const db = await create(world);
        world.emulator.setServiceStatus(db.id, status, hour);
        const beganAt = world.clock.now();
        await remove(world, db);
        expect(world.clock.now() - beganAt).toBeGreaterThan(hour);
        expect(services(world)).toMatchObject([{ status: "PAUSED", forked_from: { service_id: db.id } }]);
    });

    it("the copy contains an interrupted creation as well", async () => {
        const world = await simulate();
        const db = await create(world);
        await remove(world, { ...db, state: { ...db.state, __interrupted: "creation" } });
        expect(services(world)).toMatchObject([{ forked_from: { service_id: db.id } }]);
    });

    it("copies nothing if the service is being deleted, or is already gone", async () => {
        const world = await simulate();
        const db = await create(world);
        await call(world, "deleteService", { service_id: db.id });
        world.changes();
        await remove(world, db);
        await remove(world, db);
        expect(operations(world)).toEqual([]);
    });

    it("deletes nothing without a copy if the API hides the service, as a single broken server does", async () => {
        const hidden = new Map<unknown, EmulatorResponse>([
            ["getService", { status: 404, headers: {}, body: '{"code":"NOT_FOUND","message":"no such service"}' }],
            ["listServices", { status: 200, headers: {}, body: "[]" }],
        ]);
        let isHiding = false;
        const world = await simulate({
            intercept: ({ operationId }, carryOut) => {
                const response = isHiding ? hidden.get(operationId) : undefined;
                return response === undefined ? carryOut() : Promise.resolve(response);
            },
        });
        const db = await create(world);
        world.changes();
        isHiding = true;
        await remove(world, db);
        expect(operations(world)).toEqual([]);
        expect(named(world, db.id)?.status).toBe("READY");
    });

    it("copies nothing if replica sets prevent the deletion", async () => {
        const world = await simulate();
        const db = await create(world);
        await ReadReplicaSet.create(replicaSet(db.id), world.run());
        world.changes();
        await expect(remove(world, db)).rejects.toThrow(
            /Service "orders" \(\w+\) is neither copied nor deleted: it has read replica set .*\.\nDelete each read replica set first: `pulumi destroy --target 'URN'`, with the URN from `pulumi stack --show-urns`\n/,
        );
        expect(operations(world)).toEqual([]);
    });

    it("copies and deletes a service of an API that has no read replica sets", async () => {
        const world = await simulate();
        const db = await create(world);
        world.changes();
        const notFound = { status: 404, headers: {}, body: '{"code":"NOT_FOUND","message":"no such path"}' };
        world.fault.at("listReplicaSets", () => Promise.resolve(notFound));
        await remove(world, db);
        expect(operations(world)).toEqual(["forkService", "stopService", "deleteService"]);
    });
});

describe("a deletion that the API rejects after a complete copy", () => {
    /** A deletion that is rejected. Returns its error. */
    const rejected = async (world: Simulation, db: Created) => {
        world.clock.advance(minute);
        const error: unknown = await remove(world, db).catch((caught: unknown) => caught);
        expect(named(world, db.id)?.status).not.toBe("DELETING");
        return error instanceof Error ? error.message : "it succeeded";
    };
    const copiesOf = (world: Simulation) => services(world).filter(({ name }) => name.includes("-last-copy-"));

    it("names the copy and how to delete the service with it, and does not make one more copy in each run", async () => {
        const world = await simulate();
        const db = await create(world);
        world.fault.at("deleteService", refuse);
        const message = await rejected(world, db);
        const [copy] = copiesOf(world);
        expect(message).toMatch(
            new RegExp(
                `not today.*\nLast copy: ${copy?.service_id ?? ""} is complete, with the data of .*declare it with finalFork: false`,
                "s",
            ),
        );
        await rejected(world, db);
        world.changes();
        for (let run = 3; run <= 5; run++) {
            const refusal = await rejected(world, db);
            expect(refusal).toContain("is neither copied nor deleted: earlier runs have made 2 last copies of it.");
            expect(refusal).toContain(`${copy?.service_id ?? ""} (PAUSED, with the data of ${copy?.created ?? ""})`);
        }
        expect(operations(world)).toEqual([]);
        expect(copiesOf(world)).toHaveLength(2);

        world.emulator.deleteService(copy?.service_id ?? "");
        world.fault.over();
        await remove(world, db);
        expect(named(world, db.id)).toBeUndefined();
        expect(copiesOf(world)).toHaveLength(2);
    });

    it.each([
        ["is paused again", [], "PAUSED"],
        ["or the error says that it runs", ["stopService#2+:400"], "READY"],
    ])("a service that was paused %s", async (_, faultOfPause, status) => {
        const world = await simulate();
        const db = await create(world, { ...orders, paused: true });
        world.emulator.addFaults(["deleteService#1+:400", ...faultOfPause]);
        const message = await rejected(world, db);
        expect(named(world, db.id)).toMatchObject({ status });
        const says = "Pause it again: it was paused, and runs now: `pulumi up --refresh`";
        expect(message.includes(says)).toBe(status === "READY");
    });
});

describe("a service whose last copy fails is not deleted", () => {
    const keeps = async (world: Simulation, db: Created, message: RegExp, timeMs?: number) => {
        await expect(remove(world, db, timeMs)).rejects.toThrow(message);
        expect(named(world, db.id)?.status).toBe("READY");
        expect(operations(world)).not.toContain("deleteService");
    };

    it("because the API rejects the fork, for example because of a quota", async () => {
        const world = await simulate();
        const db = await create(world);
        world.fault.at("forkService", refuse);
        await keeps(
            world,
            db,
            /^Service "orders" \(\w{10}\) was not deleted: the last copy failed \(400 NO: not today\)\. Your data is safe\.\nTry again: .*\nWithout a copy: declare it with finalFork: false .*\nWithout a copy, if an earlier run has replaced it: .*\nDetails: /,
        );
        world.fault.over();
        await expectCopies(world, db);
    });

    it("because the fork does not become ready", async () => {
        const world = await simulate({ durations: { fork: 5 * hour } });
        const db = await create(world);
        await keeps(world, db, /timed out after 1 h: CONFIGURING/, hour);
    });

    it("because the fork disappears", async () => {
        const world = await simulate({ durations: { fork: 5 * hour } });
        const db = await create(world);
        const removed = keeps(world, db, /no longer exists/);
        world.run().clock.after(hour, () => {
            const [, copy] = services(world);
            world.emulator.deleteService(copy?.service_id ?? "");
        });
        await removed;
    });

    it("because the copy is not paused", async () => {
        const world = await simulate();
        const db = await create(world);
        world.fault.at("stopService", refuse);
        await keeps(world, db, /not today/);
    });

    it("because a response was lost, and it is not certain what the request has created", async () => {
        const world = await simulate();
        const db = await create(world);
        world.fault.at("forkService", async (exchange, carryOut) => {
            await carryOut();
            return loseResponse(exchange, carryOut);
        });
        await keeps(world, db, /it is not certain whether the request has created \w+ or \w+\nTry again: /);
        expect(services(world)).toHaveLength(3);
    });

    const changeCopy = (shown: object): Interceptor => {
        return async (_, carryOut) => {
            const response = await carryOut();
            const item = JSON.parse(response.body) as Record<string, unknown>;
            const isCopy = String(item.name).includes("-last-copy-");
            return isCopy ? { ...response, body: JSON.stringify({ ...item, ...shown }) } : response;
        };
    };

    it.each([
        ["the API does not show that it is a fork of the service", { forked_from: undefined }],
        ["the API shows that it is a fork of another service", { forked_from: { service_id: "another0001" } }],
    ])("because %s", async (_, shown) => {
        const world = await simulate();
        const db = await create(world);
        world.fault.at("getService", changeCopy(shown));
        await keeps(world, db, new RegExp(`The API does not show that \\w+ is a fork of ${db.id}\n`));
    });
});

it.each(["is gone", "is being deleted"])("a service that %s when its copy is requested is deleted", async (is) => {
    const world = await simulate({ durations: { delete: minute } });
    const db = await create(world);
    world.fault.at("forkService", async (_, carryOut) => {
        if (is === "is gone") {
            world.emulator.deleteService(db.id);
        } else {
            await call(world, "deleteService", { service_id: db.id });
        }
        return carryOut();
    });
    await remove(world, db);
    expect(services(world)).toEqual([]);
});

it("the names of copies that two runs request in the same second differ, because the clock of the API has whole seconds", async () => {
    const requestedAt = async (random: number) => {
        const world = await simulate();
        const { id, state } = await create(world);
        await Service.remove(id, state, { ...world.run({ timeMs: lastCopyMs }), random: () => random });
        return lastCopyName.parse(services(world)[0]?.name ?? "")?.requestedAt ?? NaN;
    };
    expect((await requestedAt(0.25)) - (await requestedAt(0))).toBe(250);
});

it("a copy with an earlier name, in whole seconds, is a last copy", () => {
    expect(lastCopyName.parse("orders-last-copy-jl6mm9xxa2-20300101T000001Z")).toEqual({
        name: "orders",
        serviceId: "jl6mm9xxa2",
        requestedAt: Date.UTC(2030, 0, 1, 0, 0, 1),
    });
});

it("a lost response to the fork needs no second copy: the run itself finds the fork", async () => {
    const world = await simulate();
    const db = await create(world);
    world.fault.at("forkService", loseResponse, 1);
    await expectCopies(world, db);
});

describe("the next run makes a new copy, and keeps the one of an interrupted deletion", () => {
    it.each([
        ["that is in progress", () => undefined],
        ["that is ready", (world: Simulation) => world.clock.advance(hour)],
        [
            "that somebody uses",
            (world: Simulation, id: string) => world.emulator.updateService(id, { environment: "PROD" }),
        ],
    ])("%s", async (_, happens) => {
        const world = await simulate();
        const db = await create(world);
        const old = await beginCopy(world, db.id);
        happens(world, old);
        await expectCopies(world, db, old);
    });

    it("that is renamed, and the copy of another service", async () => {
        const world = await simulate();
        const [db, other] = [await create(world), await create(world, { ...orders, name: "bills" })];
        const renamed = await beginCopy(world, db.id);
        world.emulator.updateService(renamed, { name: "restored" });
        const copyOfOther = await beginCopy(world, other.id);
        await expectCopies(world, db, renamed, other.id, copyOfOther);
    });
});
