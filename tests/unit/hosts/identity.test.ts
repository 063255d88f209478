import type { EmulatorOptions } from "../../../emulator";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { engineUrnKey } from "../../../provider/hosts/dynamic/requestUrns";
import { connectEngine } from "../../../provider/hosts/engine";
import { previewKey } from "../../../provider/hosts/preview";
import { Session } from "../../../provider/hosts/session";
import { noFacts, type RunFacts } from "../../../provider/ownership/runFacts";
import { announcement } from "../../../provider/ownership/table";
import { lifecycles } from "../../../provider/resources";
import { faults, network, refuse, service } from "../../support/fixtures";
import { factsInMemory } from "../../support/runFacts";
import { closeSimulations, inProcess, simulate } from "../../support/simulation";

// Several provider processes of one run, and what each of them must know about the others.

afterEach(closeSimulations);

type Values = Record<string, unknown>;

const urnOf = (name: string, parents = "") =>
    `urn:pulumi:dev::shop::${parents}pulumi-nodejs:dynamic/clouddb:Service::${name}`;
const declared = (name: string, inputs: Values = {}) => ({ ...service(inputs), __urn: urnOf(name) });

async function start(options: EmulatorOptions = {}) {
    const world = await simulate(options);
    const lines: string[] = [];
    const note = (_: string | undefined, text: string) => lines.push(text);
    const engine = { ...connectEngine(undefined), info: note, warn: note };
    const parts = { clock: world.run().wait.clock, random: () => 0.5, adapter: inProcess(world.emulator) };
    /** Connects provider processes to a new run. */
    const run = (facts?: RunFacts) => {
        const connect = facts === undefined ? factsInMemory() : () => facts;
        return (url = world.emulator.url) => {
            const env = { CLOUDDB_BASE_URL: url, CLOUDDB_ACCESS_TOKEN: world.emulator.token };
            return new DynamicProvider(lifecycles.Service, new Session(engine, env, parts, connect()));
        };
    };
    /** The providers of services and VPCs of one process. */
    const connectBoth = () => {
        const env = { CLOUDDB_BASE_URL: world.emulator.url, CLOUDDB_ACCESS_TOKEN: world.emulator.token };
        const session = new Session(engine, env, parts, factsInMemory()());
        return {
            services: new DynamicProvider(lifecycles.Service, session),
            vpcs: new DynamicProvider(lifecycles.Vpc, session),
        };
    };
    const create = async (inputs: Values) => {
        const { id, outs = {} } = await run()().create(inputs);
        return { id, outs };
    };
    const ids = () => world.emulator.snapshot().services.map(({ service_id: id }) => id);
    return { lines, run, connectBoth, create, ids };
}

/** The outputs of a resource in a deletion by the engine. */
const deleted = (outs: Values, urn: string) => ({ ...outs, [engineUrnKey]: urn });

describe("several providers of one run", () => {
    it("a provider keeps a database that another provider has adopted", async () => {
        const { lines, run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const connect = run();
        const [first, second] = [connect(), connect()];
        const adopting = declared("main", { existingId: id });
        await second.check({}, adopting);
        await expect(first.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow('"main" adopts it');
        await second.create(adopting);
        await first.delete(id, deleted(outs, urnOf("orders")));
        expect(lines.join("\n")).toContain(`service ${id} is not deleted: "main" manages it`);
        expect(ids()).toEqual([id]);
    });

    it("an adoption that fails halfway is not complete, in this run and in the next one", async () => {
        const fault = faults();
        const { lines, run, create, ids } = await start(fault.options);
        const { id, outs } = await create(declared("orders"));
        const old = deleted(outs, urnOf("orders"));
        const adopting = declared("main", { existingId: id, password: "a-new-password" });
        fault.at("updatePassword", refuse);
        const provider = run()();
        await provider.check({}, adopting);
        const failed = provider.create(adopting).catch((error: unknown) => error) as Promise<{ properties: Values }>;
        const { properties } = await failed;
        expect(properties.__interrupted).toBe("creation");
        await expect(provider.delete(id, old)).rejects.toThrow('"main" adopts it');

        const next = run()();
        await next.check(properties, adopting);
        await next.diff(id, properties, adopting);
        await expect(next.update(id, properties, adopting)).rejects.toThrow("not today");
        await expect(next.delete(id, old)).rejects.toThrow('"main" adopts it');
        fault.over();
        await next.update(id, properties, adopting);
        await next.delete(id, old);
        expect(lines.join("\n")).toContain(`service ${id} is not deleted: "main" manages it`);
        expect(ids()).toEqual([id]);
    });

    it("an adoption that failed halfway is not complete, even without existingId", async () => {
        const fault = faults();
        const { run, create, ids } = await start(fault.options);
        const { id, outs } = await create(declared("orders"));
        const old = deleted(outs, urnOf("orders"));
        const adopting = declared("main", { existingId: id, password: "a-new-password" });
        fault.at("updatePassword", refuse);
        const first = run()();
        await first.check({}, adopting);
        let failure = (await first.create(adopting).catch((error: unknown) => error)) as { properties: Values };
        const adopted = declared("main", { password: "a-new-password" });
        for (let runs = 0; runs < 2; runs += 1) {
            const { properties } = failure;
            const provider = run()();
            const { inputs = {} } = await provider.check(properties, adopted);
            // A refresh ends the engine's own record of the failure.
            expect(await provider.diff(id, properties, inputs)).toMatchObject({ changes: true });
            failure = (await provider
                .update(id, properties, inputs)
                .catch((error: unknown) => error)) as typeof failure;
            await expect(provider.delete(id, old)).rejects.toThrow('"main" adopts it');
        }
        fault.over();
        const last = run()();
        await last.check(failure.properties, adopted);
        await last.diff(id, failure.properties, adopted);
        const { outs: complete = {} } = await last.update(id, failure.properties, adopted);
        expect(complete).not.toHaveProperty("__adopting");
        await last.delete(id, old);
        expect(ids()).toEqual([id]);
    });

    it.each([
        ["a resource with its name", () => ({ name: "prod" }), "already exists"],
        [
            "a fork of it",
            (id: string) => ({ name: "copy", fork: { serviceId: id, strategy: "LAST_SNAPSHOT" } }),
            "not today",
        ],
    ])("a database is kept if this run did not create %s", async (_, inputs, reason) => {
        const fault = faults();
        const { run, create, ids } = await start(fault.options);
        const { id, outs } = await create(declared("orders", { name: "prod" }));
        const old = deleted(outs, urnOf("orders"));
        const next = declared("main", inputs(id));
        const provider = run()();
        await provider.check({}, next);
        fault.at("forkService", refuse);
        await expect(provider.create(next)).rejects.toThrow(reason);
        await expect(provider.delete(id, old)).rejects.toThrow(/"main" may replace it|has not completed "main"/);
        expect(ids()).toEqual([id]);
    });

    it("the deletion of an entry with another id leaves the manager of a URN", async () => {
        const { lines, run, create, ids } = await start();
        const { id, outs } = await create(declared("orders", { name: "first" }));
        const other = await create(declared("orders", { name: "second", allowReplace: true }));
        const provider = run()();
        const { inputs = {} } = await provider.check(outs, declared("orders", { name: "first", allowReplace: true }));
        await provider.diff(id, outs, inputs);
        await provider.delete(other.id, deleted(other.outs, urnOf("orders")));
        await provider.delete(id, deleted(outs, urnOf("orders")));
        expect(lines.join("\n")).toContain(`service ${id} is not deleted: "orders" manages it`);
        expect(ids()).toEqual([id]);
    });

    it("the preview of a second adoption of one database fails", async () => {
        const { run, create } = await start();
        const { id, outs } = await create(declared("orders"));
        const provider = run()();
        const { inputs = {} } = await provider.check(outs, declared("orders"));
        await provider.diff(id, outs, inputs);
        const adopting = declared("main", { existingId: id, [previewKey]: true });
        const { failures } = await provider.check({}, adopting);
        const reason = expect.stringContaining('it is managed by "orders" of this program') as string;
        expect(failures).toMatchObject([{ reason }]);
    });

    it("a provider does not delete a database that another provider replaces without allowReplace", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const connect = run();
        const [old, next] = [connect(), connect("http://127.0.0.1:9/v1")];
        await next.check({}, declared("orders"));
        await expect(old.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow("would be replaced");
        await next.check({}, declared("orders", { allowReplace: true }));
        await old.delete(id, deleted(outs, urnOf("orders")));
        expect(ids()).toEqual([]);
    });

    it("two providers reject a service of the same name at one address, and accept it at two addresses", async () => {
        const { run } = await start();
        const connect = run();
        const [first, second, elsewhere] = [connect(), connect(), connect("http://127.0.0.1:9/v1")];
        await first.check({}, declared("orders", { name: "one" }));
        const { failures } = await second.check({}, declared("main", { name: "one" }));
        expect(failures).toMatchObject([{ reason: expect.stringContaining('resource "orders"') as string }]);
        expect(await elsewhere.check({}, declared("far", { name: "one" }))).toMatchObject({ failures: [] });
    });

    it("nothing is deleted if the processes of a run cannot share what they know", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const problem = new Error("no folder");
        const provider = run({ ...noFacts, problem })();
        await provider.check({}, declared("main"));
        await expect(provider.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow("no folder");
        expect(ids()).toEqual([id]);
    });

    it("the facts of a run contain no secrets and no unknown values", async () => {
        const { world, facts } = { world: await simulate(), facts: factsInMemory() };
        const env = { CLOUDDB_BASE_URL: world.emulator.url, CLOUDDB_ACCESS_TOKEN: world.emulator.token };
        const provider = new DynamicProvider(
            lifecycles.Service,
            new Session(connectEngine(undefined), env, {}, facts()),
        );
        const other = facts();
        const inputs = { name: "a-secret-name", __secrets: ["name"], password: "a-secret-password" };
        await provider.check({}, declared("orders", { ...inputs, cpuMillis: unknownText, memoryGbs: unknownText }));
        const text = JSON.stringify(other.received());
        expect(text).toContain('"password":"[secret]"');
        expect(text).not.toMatch(/a-secret|cpuMillis/);
    });

    it("the facts of a run show no secret project, and find the same database in it", async () => {
        const { world, facts } = { world: await simulate(), facts: factsInMemory() };
        const { projectId } = world.emulator;
        const env = { CLOUDDB_BASE_URL: world.emulator.url, CLOUDDB_ACCESS_TOKEN: world.emulator.token };
        const parts = { clock: world.run().wait.clock, random: () => 0.5, adapter: inProcess(world.emulator) };
        const connect = () =>
            new DynamicProvider(lifecycles.Service, new Session(connectEngine(undefined), env, parts, facts()));
        const [first, second, program] = [connect(), connect(), facts()];
        const orders = declared("orders", { __secrets: ["projectId"] });
        await first.check({}, orders);
        const { id, outs: encoded } = await first.create(orders);
        // The engine passes secrets in plain text.
        const outs = { ...encoded, projectId };
        await first.read(id, outs);
        await first.diff(id, outs, orders);
        await first.check({}, declared("main", { existingId: id, __secrets: ["projectId"] }));
        const published = JSON.stringify(program.received());
        expect(published).toMatch(/"manages".*"refreshed".*"adopts":{/);
        expect(published).not.toContain(projectId);
        await expect(second.delete(id, deleted(outs, urnOf("other")))).resolves.toBeUndefined();
        expect(world.emulator.snapshot().services).toHaveLength(1);

        const announced = { type: "Service", existingId: "service002" };
        program.publish({ urn: urnOf("next"), announces: announcement({ ...announced, projectId }) });
        const other = second.delete("service002", deleted(outs, urnOf("gone")));
        await expect(other).rejects.toThrow('"next" adopts it');
        expect(announcement({ ...announced, projectId: undefined })).toEqual(announced);
    });
});

describe("deletions together with a resource that is deleted before its replacement", () => {
    const vpcUrn = urnOf("net").replace(":Service::", ":Vpc::");

    async function prepare(inputs: Values) {
        const { connectBoth: connect, ids } = await start();
        const first = connect();
        const vpc = await first.vpcs.create({ ...network, __urn: vpcUrn });
        const { id, outs = {} } = await first.services.create(declared("orders", inputs));
        return { connect, vpc, id, orders: deleted(outs, urnOf("orders")), ids };
    }

    async function replacedFirst(inputs: Values) {
        const { connect, vpc, ...rest } = await prepare(inputs);
        const { services, vpcs } = connect();
        const { inputs: changed = {} } = await vpcs.check(vpc.outs ?? {}, {
            ...network,
            __urn: vpcUrn,
            cidr: "10.0.0.0/20",
        });
        expect(await vpcs.diff(vpc.id, vpc.outs ?? {}, changed)).toMatchObject({ deleteBeforeReplace: true });
        return { ...rest, services, vpcs, vpc, changed };
    }

    it("a database that the program has not declared yet is kept, unless its state allows the replacement", async () => {
        const { id, orders, services, ids } = await replacedFirst({});
        await expect(services.delete(id, orders)).rejects.toThrow('this run has not completed "net"');
        expect(ids()).toEqual([id]);
        const allowed = await replacedFirst({ allowReplace: true });
        await allowed.services.delete(allowed.id, allowed.orders);
        expect(allowed.ids()).toEqual([]);
    });

    it("a database is kept while the engine replaces a VPC without a diff, as for --replace", async () => {
        const { vpc, connect, id, orders, ids } = await prepare({});
        const { services, vpcs } = connect();
        await vpcs.check({}, { ...network, __urn: vpcUrn });
        await expect(services.delete(id, orders)).rejects.toThrow('this run has not completed "net"');
        await vpcs.delete(vpc.id, deleted(vpc.outs ?? {}, vpcUrn));
        await vpcs.create({ ...network, __urn: vpcUrn });
        await services.delete(id, orders);
        expect(ids()).toEqual([]);
    });

    it("a database that the program no longer declares is deleted after the replacement, and kept if that failed", async () => {
        const done = await replacedFirst({});
        await done.vpcs.delete(done.vpc.id, deleted(done.vpc.outs ?? {}, vpcUrn));
        await done.vpcs.create(done.changed);
        await done.services.delete(done.id, done.orders);
        expect(done.ids()).toEqual([]);

        const failed = await replacedFirst({});
        // The old VPC still has the addresses.
        await expect(failed.vpcs.create(failed.changed)).rejects.toThrow("cidr");
        // The program may declare the database in an `apply` of the VPC.
        await expect(failed.services.delete(failed.id, failed.orders)).rejects.toThrow("has not completed");
        expect(failed.ids()).toEqual([failed.id]);
    });
});

describe("deletions after a rename", () => {
    it("a database is not deleted under an alias of a declared resource, even if the alias is only in the state", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const renamed = { ...declared("main", { name: "main" }), __formerUrns: [urnOf("orders")] };
        const provider = run()();
        await provider.check({}, renamed);
        const { id: newId, outs: newOuts = {} } = await provider.create(renamed);
        await expect(provider.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow(`${newId} replaced it`);

        const next = run()();
        const { inputs = {} } = await next.check(newOuts, declared("main", { name: "main" }));
        await next.diff(newId, newOuts, inputs);
        await expect(next.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow(`${newId} replaced it`);
        expect(ids()).toEqual([id, newId]);
    });

    it("another resource with an earlier name keeps the renamed one, unless the program has declared both", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const another = declared("orders", { name: "another" });
        const renamed = deleted(outs, urnOf("legacy"));
        const provider = run()();
        await provider.check({}, another);
        await expect(provider.delete(id, outs)).rejects.toThrow("would be replaced");
        await expect(provider.delete(id, renamed)).rejects.toThrow(
            `as "orders", a resource name that ${id} had before`,
        );

        const both = run()();
        const { inputs = {} } = await both.check(outs, declared("legacy"));
        await both.diff(id, outs, inputs);
        await both.check({}, another);
        const { id: newId, outs: newOuts = {} } = await both.create(another);
        const next = run()();
        await next.check(newOuts, another);
        await next.diff(newId, newOuts, another);
        await next.delete(id, renamed);
        expect(ids()).toEqual([newId]);
    });

    it("a resource that the run leaves out keeps the database that it may replace, unless it has allowReplace", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const nested = urnOf("orders", "shop:index:Shop$");
        const deletion = async (urn: string, announced: object) => {
            const connect = factsInMemory();
            const provider = run(connect())();
            connect().publish({ urn, announces: { type: "Service", ...announced } });
            return provider.delete(id, deleted(outs, urnOf("orders")));
        };
        await expect(deletion(nested, {})).rejects.toThrow(`it may be '${nested}' before a move or a rename`);
        // It has adopted the database, and declares no existingId any more.
        const adopter = { id, allowReplace: true };
        await expect(deletion(urnOf("main"), adopter)).rejects.toThrow("this run leaves that out");
        expect(ids()).toEqual([id]);
        await deletion(nested, { allowReplace: true });
        expect(ids()).toEqual([]);
    });

    it.each([
        [false, " and its data"],
        [true, ""],
    ])("a refusal says what allowReplace would delete (finalFork: %s)", async (finalFork, data) => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders", { finalFork }));
        const text = `To delete ${id}${data}, set allowReplace: true`;
        const moved = run()();
        await moved.check({}, { ...declared("orders"), __urn: urnOf("orders", "shop:index:Shop$") });
        await expect(moved.delete(id, deleted(outs, urnOf("orders")))).rejects.toThrow(text);
        const withoutUrn = run()();
        const { inputs = {} } = await withoutUrn.check({}, declared("main", { name: "main" }));
        const main = await withoutUrn.create(inputs);
        await expect(withoutUrn.delete(id, outs)).rejects.toThrow(text);
        expect(ids()).toEqual([id, main.id]);
    });

    it("without the URN of the engine, no database is deleted while the program declares one without allowReplace", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const provider = run()();
        const { inputs = {} } = await provider.check({}, declared("main", { name: "main" }));
        const main = await provider.create(inputs);
        await expect(provider.delete(id, outs)).rejects.toThrow("does not pass the URN");
        expect(ids()).toEqual([id, main.id]);
        await run()().delete(id, outs);
        expect(ids()).toEqual([main.id]);
    });

    it("a database under another parent is deleted once the program has declared both at the same time", async () => {
        const { run, create, ids } = await start();
        const { id, outs } = await create(declared("orders"));
        const nested = { ...declared("orders", { name: "nested" }), __urn: urnOf("orders", "shop:index:Shop$") };
        const both = run()();
        const { inputs = {} } = await both.check(outs, declared("orders"));
        await both.diff(id, outs, inputs);
        await both.check({}, nested);
        const { id: nestedId, outs: nestedOuts = {} } = await both.create(nested);

        const next = run()();
        await next.check(nestedOuts, nested);
        await next.diff(nestedId, nestedOuts, nested);
        await next.delete(id, deleted(outs, urnOf("orders")));
        expect(ids()).toEqual([nestedId]);
    });
});

/** Pulumi's placeholder for an unknown value in a preview. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
