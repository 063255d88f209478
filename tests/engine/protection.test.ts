import { ComponentResource, Stash, type CustomResourceOptions } from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, host, protectedResources, startStack, type Program, type TestStack } from "../support/engine";

// What only the engine shows: which deletions and replacements it refuses itself because of its protect option, which ones it
// asks the provider for, and that the state is usable after each refusal. The model tests the rule in all histories.

class Shop extends ComponentResource {
    constructor(args: ServiceArgs, opts: CustomResourceOptions) {
        super("test:index:Shop", "shop");
        new Service("moved", args, { ...opts, parent: this });
    }
}

let stack: TestStack;
/** The id of each service, by the name of the service. */
let before: Record<string, string>;

const ids = () =>
    Object.fromEntries(stack.emulator.snapshot().services.map(({ name, service_id: id }) => [name, id] as const));

const program =
    (opts: CustomResourceOptions = {}, args: ServiceArgs = {}): Program =>
    () => {
        const other = new Stash("other", { input: 1 });
        // Pulumi removes a resource with deletedWith from the state, without a call of the provider.
        const linked = opts.protect === false ? {} : { deletedWith: other };
        for (const name of ["removed", "renamed", "moved", "linked", "first", "second"]) {
            const place = { first: "item-0", second: "item-1" }[name] ?? name;
            const links = name === "linked" ? { ...linked, replaceWith: [other] } : {};
            new Service(place, { name, ...args }, { ...opts, ...links });
        }
    };
/** A removed line, a new name and a new parent without an alias, and a list that lost its first item. */
const changed =
    (opts: CustomResourceOptions = {}): Program =>
    () => {
        new Stash("other", { input: 1 });
        new Service("new-name", { name: "renamed" }, opts);
        new Shop({ name: "moved" }, opts);
        new Service("item-0", { name: "second" }, opts);
    };
/** What Pulumi then deletes, by the names in the program. */
const deleted = ["item-1", "linked", "moved", "removed", "renamed"];
const urnOf = async (name: string) => (await stack.state(name)).urn;

beforeAll(async () => {
    stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    await stack.up(program());
    before = ids();
});

test("with Pulumi's protect option, which the classes set, the preview of each deletion and of a forced replacement fails", async () => {
    expect((await protectedResources(stack)).length).toBe(6);
    const { errors } = await failed(stack.preview(changed()));
    expect(errors.map((error) => /::([\w-]+)"/.exec(error)?.[1]).sort()).toEqual(deleted);
    await failed(stack.preview(program(), { replace: [await urnOf("other")] }));
});

test("without that option, as in other languages, the provider refuses each of them, and the state is usable", async () => {
    const own = { protect: false, deleteBeforeReplace: true };
    const named = (errors: readonly string[], names: readonly string[]) =>
        names.filter((name) => errors.some((error) => error.includes(`Service "${name}"`)));
    await stack.pulumi("state", "unprotect", "--all", "--yes");
    stack.calls();

    const removal = await failed(stack.up(changed(own), { continueOnError: true }));
    expect(named(removal.errors, deleted)).toEqual(deleted);
    await stack.up(program(own));
    const replace = [await urnOf("removed"), await urnOf("other")];
    const forced = await failed(stack.up(program(own), { replace, continueOnError: true }));
    expect(named(forced.errors, deleted)).toEqual(["linked", "removed"]);
    expect(named((await failed(stack.destroy())).errors, deleted)).not.toEqual([]);
    expect(stack.calls().filter((call) => call.startsWith("delete"))).toEqual([]);
    expect(ids()).toEqual(before);
});

test("a changed region fails the preview, and one up without protection comes first, which sends no request", async () => {
    const elsewhere = { regionCode: "eu-west-1" };
    const { errors } = await failed(stack.preview(program({}, elsewhere)));
    expect(errors.filter((error) => Object.values(before).some((id) => error.includes(id)))).toEqual(errors);
    stack.calls();
    const unprotected = { deletionProtection: false };
    await stack.up(program({}, unprotected));
    expect([stack.calls(), ids()]).toEqual([[], before]);
    expect(await protectedResources(stack)).toEqual([]);

    const { operations } = await stack.up(program({}, { ...unprotected, ...elsewhere }));
    expect(new Set(Object.values(operations))).toEqual(new Set(["replace"]));
    expect(Object.keys(ids()).sort()).toEqual(Object.keys(before).sort());
    expect(Object.values(ids()).filter((id) => Object.values(before).includes(id))).toEqual([]);
});

test("after two renames by an alias, a refusal names no URN of an earlier name", async () => {
    const renamed = await startStack();
    await renamed.setConfig("clouddb:deletionProtection", "true");
    const named = (name: string, former?: string) => () => {
        new Service(
            name,
            { name: "orders" },
            { protect: false, aliases: former === undefined ? [] : [{ name: former }] },
        );
    };
    await renamed.up(named("first"));
    await renamed.up(named("second", "first"));
    await renamed.up(named("third", "second"));
    const refusal = await failed(renamed.up(() => undefined));
    renamed.emulator.reset();
    const missing = await failed(renamed.refresh());
    for (const { errors } of [refusal, missing]) {
        expect(errors).toEqual([expect.not.stringMatching(/::(first|second)/)]);
    }
    const [inCommand = ""] = /pulumi refresh --target \S+/.exec(missing.errors.join()) ?? [];
    expect(inCommand).toContain(host === "native" ? "::third'" : "'URN'");
});
