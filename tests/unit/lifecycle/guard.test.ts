import { CloudDbError } from "../../../provider/api/callErrors";
import type { Stored } from "../../../provider/model/resource";
import { computed } from "../../../provider/base/fields";
import { AdoptionError } from "../../../provider/lifecycle/errors";
import { lifecycles, type Lifecycle } from "../../support/lifecycles";
import type { ServiceKind } from "../../../provider/resources/service/plan";
import { failureOf } from "../../support/client";
import { failure, labelsOf, operations, refuse, withWay } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// The rule of deletion. The default protects every service.

type Values = Readonly<Record<string, unknown>>;
type Entry = Stored<ServiceKind>;
type Host = Lifecycle<ServiceKind>;

const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
const declare = (name: string, change: Values = {}): Values => ({ __urn: urn(name), name, ...change });
const unprotected = { deletionProtection: false };
const password = { password: "a-password" };

/** A stack with an emulator. Each call of `run` is another run of the engine, which starts the provider again. */
async function start() {
    const world = await simulate();
    const { lines, startSession } = sessionsOn(world);
    const run = () => {
        const [services, vpcs] = [lifecycles.Service, lifecycles.Vpc];
        const session = startSession();
        return { services: services.in(session), vpcs: vpcs.in(session) };
    };
    const ids = () => world.emulator.snapshot().services.map(({ service_id: id }) => id);
    return { world, fault: world.fault, lines, run, ids };
}

/** Checks the inputs of a resource. Fails for inputs that are rejected. */
function checked(host: Host, inputs: Values, state: object = {}) {
    const { inputs: declared, problems } = host.check(inputs, state);
    if (problems.length > 0) {
        throw new Error(problems.join("\n"));
    }
    return declared;
}

/** An update of one resource, with the calls of the engine in its order. */
async function up(host: Host, inputs: Values, entry?: Entry): Promise<Entry> {
    const declared = checked(host, inputs, entry?.state);
    if (entry === undefined) {
        return host.create(declared);
    }
    const { changes } = host.diff(entry.id, entry.state, declared);
    return changes ? { ...entry, state: await host.update(entry.id, entry.state, declared) } : entry;
}

const network = { __urn: "urn::net", name: "net", cidr: "10.0.0.0/16", regionCode: "us-east-1" };

it.each([
    [true, true, true],
    [undefined, true, false],
    [false, false, false],
])(
    "a deletion looks only at the state: with deletionProtection %s, refused for a service %s, for a VPC %s",
    async (deletionProtection, isRefused, isRefusedForVpc) => {
        const { world, run, ids } = await start();
        const { id, state } = await up(run().services, declare("orders"));
        const { vpcs } = run();
        const net = await vpcs.create(vpcs.check(network, {}).inputs);
        expect(net.state.deletionProtection).toBe(false);
        world.changes();
        const { services } = run();
        // What the program permits after the last update decides nothing.
        checked(services, declare("orders", unprotected), state);
        const deletion = services.delete(id, { ...state, deletionProtection });
        await (isRefused ? expect(deletion).rejects.toMatchObject(withWay("Delete it")) : deletion);
        expect([ids(), operations(world)]).toEqual(isRefused ? [[id], []] : [[], ["deleteService"]]);
        const deletionOfVpc = run().vpcs.delete(net.id, { ...net.state, deletionProtection });
        await deletionOfVpc.catch(() => undefined);
        expect(world.emulator.snapshot().vpcs).toHaveLength(isRefusedForVpc ? 1 : 0);
    },
);

describe("the ways out of a refused deletion are the deletion and the page", () => {
    const both = ["Delete it", "Renamed, moved or replaced"];
    const create = (name: string) => (services: Host) => up(services, declare(name, { name: "another" }));
    const check = (name: string) => (services: Host) => services.check(declare(name), {});

    it.each<[reason: string, ways: string[], shows: ((services: Host) => unknown)[]]>([
        ["a destroy without a program", both, []],
        ["a program without it", both, [check("main")]],
        ["a new one instead", both, [create("main")]],
        ["a program with it", both, [check("orders")]],
        // The way to delete it would unprotect the replacement.
        ["a replacement that exists: only the page", both.slice(1), [check("orders"), create("orders")]],
    ])("%s: %j", async (_, ways, shows) => {
        const { run } = await start();
        const { id, state } = await up(run().services, declare("orders"));
        const { services } = run();
        for (const show of shows) {
            await show(services);
        }
        expect(labelsOf(await failureOf(services.delete(id, state), CloudDbError))).toEqual(ways);
    });
});

it("an old entry of a service that is adopted under another name is removed without a deletion, also while the adoption is not complete", async () => {
    const { fault, lines, run, ids } = await start();
    const old = await up(run().services, declare("orders", unprotected));
    const main = declare("main", { name: "orders", ...password, existingId: old.id });
    const removed = `Service "orders" (${old.id}) is not deleted: "main" manages it`;
    const half = run().services;
    fault.at("updatePassword", refuse);
    await failure(up(half, main));
    fault.over();
    await half.delete(old.id, old.state);
    const { services } = run();
    await up(services, main);
    await services.delete(old.id, old.state);
    expect(lines.filter((line) => line === removed)).toHaveLength(2);
    expect(ids()).toEqual([old.id]);
});

describe("an adoption that no run has completed", () => {
    it.each([unprotected, {}])("does not permit a deletion, whatever the state says: %j", async (protection) => {
        const { fault, lines, run, ids } = await start();
        const { id: byHand } = await up(run().services, declare("made-by-hand"));
        fault.at("updatePassword", refuse);
        const adopting = declare("orders", { existingId: byHand, ...password, ...protection });
        const failed = await failure(up(run().services, adopting));
        const half = { id: byHand, state: failed.state as Entry["state"] };
        lines.splice(0);
        await run().services.delete(byHand, half.state);
        expect(lines).toEqual([
            `Service "orders" (${byHand}) is not deleted: no run has completed its adoption. It is now unmanaged`,
        ]);
        expect(ids()).toEqual([byHand]);
        const again = await failure(up(run().services, adopting, half));
        fault.over();
        const done = await up(run().services, adopting, { id: byHand, state: again.state as Entry["state"] });
        await run().services.delete(byHand, { ...done.state, ...unprotected });
        expect(ids()).toEqual([]);
    });

    it("is kept by a replacement, whose preview says so", async () => {
        const { run } = await start();
        const { id, state } = await up(run().services, declare("orders", { ...unprotected, regionCode: "us-east-1" }));
        const half = { ...state, record: { ...state.record, interruption: "adoption" as const } };
        const { services } = run();
        const moved = declare("orders", { ...unprotected, regionCode: "eu-west-1" });
        const { notices } = services.diff(id, half, checked(services, moved, half));
        expect(notices[0]?.text).toContain("kept");
    });
});

it.each([true, undefined])(
    "a replacement by a change fails if the state has deletionProtection %s, but not in a refresh, nor for an unknown value",
    async (deletionProtection) => {
        const { run } = await start();
        const moved = { regionCode: "eu-west-1" };
        const created = await up(run().services, declare("orders", { regionCode: "us-east-1" }));
        const state = { ...created.state, deletionProtection };
        const diff = (host: Host, change: Values) =>
            host.diff(created.id, state, checked(host, declare("orders", change), state));
        expect(() => diff(run().services, { ...moved, ...unprotected })).toThrow("protected");
        const possible = { regionCode: computed };
        expect(diff(run().services, possible)).toMatchObject({
            plan: { replace: [] },
            notices: [{ text: expect.stringContaining("regionCode") as string }],
        });
        const refreshed = run().services.diff(created.id, state, declare("orders", moved));
        expect(refreshed).toMatchObject({ plan: { replace: [] }, notices: [] });
    },
);

describe("a replacement that replaceOnChanges requires, after a diff that requires none", () => {
    /** The check of the same inputs without the state, after a check and a diff with it. */
    async function forced(host: Host, { id, state }: Entry, inputs: Values) {
        const { deletionProtection } = state;
        await up(host, declare("orders", { ...inputs, deletionProtection, existingId: undefined }), { id, state });
        return checked(host, declare("orders", inputs));
    }

    it.each(["create first", "delete first"])("works in one run if the service is not protected: %s", async (order) => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const { services } = run();
        const declared = await forced(services, old, unprotected);
        const create = () => services.create(declared);
        const remove = () => services.delete(old.id, old.state);
        const next = order === "create first" ? await create() : await remove().then(create);
        await (order === "create first" ? remove() : undefined);
        expect(ids()).toEqual([next.id]);
    });

    it("fails in the check if the state or the program protects the service, also without a diff", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders"));
        await expect(forced(run().services, old, unprotected)).rejects.toThrow("protected");
        const { services } = run();
        checked(services, declare("orders"), { ...old.state, ...unprotected });
        const problems = [expect.stringContaining("protected")];
        expect(services.check(declare("orders"), {})).toMatchObject({ problems, notices: [] });
        await expect(services.delete(old.id, old.state)).rejects.toThrow("deletionProtection");
        expect(ids()).toEqual([old.id]);
    });

    it("warns in the check, with the id that a diff has shown, that nothing is updated in place", async () => {
        const { run } = await start();
        const old = await up(run().services, declare("orders", unprotected));
        const inputs = declare("orders", { ...unprotected, environment: "PROD" });
        const warningOf = (isShown: boolean) => {
            const { services } = run();
            const declared = checked(services, inputs, old.state);
            if (isShown) {
                services.diff(old.id, old.state, declared);
            }
            return services.check(inputs, {}).notices;
        };
        const warning = (text: string) => [{ severity: "warn", text: expect.stringContaining(text) as string }];
        expect(warningOf(false)).toEqual(warning("It is not updated in place"));
        expect(warningOf(true)).toEqual(warning(old.id));
    });

    it("is not a replacement if the program adopts the service of the state, or may do so", async () => {
        const { run, ids } = await start();
        const old = await up(run().services, declare("orders", { ...unprotected, ...password }));
        for (const existingId of [old.id, computed]) {
            const { services } = run();
            await forced(services, old, { ...unprotected, ...password, existingId });
            await services.delete(old.id, old.state);
            const again = run().services;
            await up(again, declare("orders", { ...unprotected, ...password }), old);
            const adopting = declare("orders", { ...unprotected, ...password, existingId });
            expect(again.check(adopting, {})).toMatchObject({ problems: [], notices: [] });
        }
        expect(ids()).toEqual([old.id]);
        // Also if another provider replaces it, which the engine requires without a diff.
        const { services } = run();
        const adopting = declare("orders", { ...password, existingId: computed });
        checked(services, adopting, old.state);
        expect(services.check(adopting, {})).toMatchObject({ problems: [], notices: [] });
    });
});

it("a program does not adopt a service that another of its resources manages", async () => {
    const { run } = await start();
    const orders = await up(run().services, declare("orders"));
    const { services } = run();
    const adopting = checked(services, declare("reports", { existingId: orders.id }));
    await up(services, declare("orders"), orders);
    await expect(services.previewCreation(adopting)).rejects.toThrow(AdoptionError);
    await expect(services.create(adopting)).rejects.toThrow(AdoptionError);
});

it("existingId must not name another service after the creation", async () => {
    const { run } = await start();
    const { id, state } = await up(run().services, declare("orders", unprotected));
    const { services } = run();
    const declared = checked(services, declare("orders", { ...unprotected, existingId: "anotherone" }), state);
    const error = await failureOf(() => services.diff(id, state, declared), CloudDbError);
    expect(labelsOf(error)).toEqual([`Manage ${id}`, "Manage anotherone"]);
});
