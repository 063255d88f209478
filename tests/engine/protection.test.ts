import { ComponentResource, Stash, type CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, protectedResources, startStack, type Options, type Program, type TestStack } from "../support/engine";

// What only the engine shows: which deletions and replacements it refuses itself because of its protect option, which ones it
// asks the provider for, and that the state is usable after each refusal. The model tests the rule in all histories.

const idsOf = ({ emulator }: TestStack) =>
    Object.fromEntries(emulator.snapshot().services.map(({ name, service_id: id }) => [name, id]));

class Shop extends ComponentResource {
    constructor(args: ServiceArgs, opts: CustomResourceOptions) {
        super("test:index:Shop", "shop");
        new Service("moved", args, { ...opts, parent: this });
    }
}

/** The end of the preview of a replacement that has no protection. */
const unprotected = "the new service is not protected: a later run can delete it";

type Changes = Readonly<Record<string, ServiceArgs>>;

describe("a stack whose services are protected", () => {
    let stack: TestStack;
    let before: Record<string, string>;

    const service = (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}) =>
        new Service(name, { name, ...args }, opts);

    const program =
        (
            opts: CustomResourceOptions = {},
            changes: Changes = {},
            options: Readonly<Record<string, object>> = {},
        ): Program =>
        () => {
            const other = new Stash("other", { input: 1 });
            // Pulumi removes a resource with deletedWith from the state, without a call of the provider.
            const linked = opts.protect === false ? {} : { deletedWith: other };
            for (const name of ["removed", "renamed", "moved", "linked", "first", "second"]) {
                const place = { first: "item-0", second: "item-1" }[name] ?? name;
                const links = name === "linked" ? { ...linked, replaceWith: [other] } : {};
                service(place, { name, ...changes[name] }, { ...opts, ...links, ...options[name] });
            }
        };
    /** A removed line, a new name and a new parent without an alias, and a list that lost its first item. */
    const changed =
        (opts: CustomResourceOptions = {}): Program =>
        () => {
            new Stash("other", { input: 1 });
            service("new-name", { name: "renamed" }, opts);
            new Shop({ name: "moved" }, opts);
            service("item-0", { name: "second" }, opts);
        };
    const deleted = ["item-1", "linked", "moved", "removed", "renamed"];

    const urnOf = async (name: string) => (await stack.state(name)).urn;
    /** Expects the same databases and, after an `up` of the program, the same state. */
    const expectUsable = async (again: Program) => {
        expect(stack.calls().filter((call) => call.startsWith("delete"))).toEqual([]);
        await stack.up(again);
        expect(idsOf(stack)).toEqual(before);
        stack.calls();
    };
    const taint = async (name: string) => {
        await stack.pulumi("state", "taint", await urnOf(name), "--yes");
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.setConfig("clouddb:deletionProtection", "true");
        await stack.up(program());
        before = idsOf(stack);
        stack.calls();
    });

    test("resources with deletionProtection have Pulumi's protect option", async () => {
        expect((await protectedResources(stack)).length).toBe(6);
        const { errors } = await failed(stack.preview(changed()));
        const refused = errors.map(
            (error) => /::([\w-]+)" cannot be deleted\nbecause it is protected/.exec(error)?.[1],
        );
        expect(refused.sort()).toEqual(deleted);
        await failed(stack.up(changed(), { continueOnError: true }));
        expect((await failed(stack.destroy())).output).toContain("because it is protected");
        await expectUsable(program());
    });

    test.each<[string, () => Promise<Options>]>([
        ["--replace", async () => ({ replace: [await urnOf("removed")] })],
        ["replaceWith", async () => ({ replace: [await urnOf("other")] })],
        [
            "a taint",
            async () => {
                await taint("removed");
                return {};
            },
        ],
    ])("the preview of a replacement by %s fails", async (_, optionsOf) => {
        const options = await optionsOf();
        const { errors } = await failed(stack.preview(program(), options));
        expect(errors.join("\n")).toMatch(/unable to replace resource[^]*marked for protection/);
    });

    describe("without the protect option, as in other languages and after `pulumi state unprotect`", () => {
        const own = { protect: false, deleteBeforeReplace: true };
        const toDelete = "is not deleted: its entry in the state has deletionProtection: true.";

        beforeAll(async () => {
            await stack.pulumi("state", "untaint", await urnOf("removed"), "--yes");
            await stack.pulumi("state", "unprotect", "--all", "--yes");
        });

        test("each deletion is refused by the provider", async () => {
            const { errors } = await failed(stack.up(changed(own), { continueOnError: true }));
            expect(errors.filter((error) => error.includes(toDelete))).toHaveLength(deleted.length);
            expect(errors.filter((error) => error.includes("already exists"))).toHaveLength(2);
            await expectUsable(program(own));

            const old = await urnOf("renamed");
            const replacing = old.replace(/renamed$/, "new-name");
            for (const run of [
                () => stack.up(changed(own), { target: [old] }),
                () => stack.up(changed(own), { exclude: [replacing], continueOnError: true }),
                () => stack.destroy(),
            ]) {
                expect((await failed(run())).errors).toContainEqual(expect.stringContaining(toDelete));
            }
            await expectUsable(program(own));
        });

        test("each replacement is refused by the provider", async () => {
            const refusal = "is not deleted: its entry in the state has";
            for (const [name, message] of Object.entries({
                removed: refusal,
                other: 'Service "linked" is protected, and this run would replace it',
            })) {
                const { errors } = await failed(stack.up(program(own), { replace: [await urnOf(name)] }));
                expect(errors).toEqual([expect.stringContaining(message)]);
            }
            await taint("removed");
            expect((await failed(stack.up(program(own)))).errors).toEqual([expect.stringContaining(refusal)]);
            await stack.pulumi("state", "untaint", await urnOf("removed"), "--yes");
            await expectUsable(program(own));
        });
    });

    test("a changed region fails the preview, and one up without protection comes first, which sends no request", async () => {
        const elsewhere = { removed: { regionCode: "eu-west-1" } };
        const refused = await failed(stack.preview(program({}, elsewhere)));
        expect(refused.errors).toEqual([
            expect.stringContaining(
                `Service "removed" (${before.removed ?? ""}) is protected, and this run would replace it ` +
                    '(regionCode "us-east-1" -> "eu-west-1"): its data would be lost.\nKeep it: undo the change\n' +
                    "Replace it: undo the change, set deletionProtection: false and run `pulumi up`; then make the change again",
            ),
        ]);
        const off = { deletionProtection: false };
        const unprotected: Changes = { removed: off, renamed: off, moved: off };
        expect((await stack.up(program({}, unprotected))).operations).toMatchObject({ removed: "update" });
        expect(stack.calls()).toEqual([]);
        expect(await protectedResources(stack)).toEqual(["item-0", "item-1", "linked"]);

        // --replace and a taint need no second run either, but deleteBeforeReplace.
        await taint("moved");
        const options = { replace: [await urnOf("renamed")] };
        const changed = { ...unprotected, removed: { ...off, ...elsewhere.removed } };
        const conflicts = await failed(stack.up(program({}, unprotected), { ...options, continueOnError: true }));
        for (const name of ["renamed", "moved"]) {
            expect(conflicts.errors).toContainEqual(expect.stringContaining(`"${name}" already exists: `));
        }
        expect(conflicts.errors).toHaveLength(2);
        expect(idsOf(stack)).toEqual(before);
        const first = { deleteBeforeReplace: true };
        const moved = program({}, changed, { renamed: first, moved: first });
        const { messages } = await stack.preview(moved, options);
        expect(messages.removed?.[0]).toBe(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${before.removed ?? ""} is deleted, ` +
                "and its data will be lost, unless retainOnDelete keeps it",
        );
        const { operations } = await stack.up(moved, options);
        expect(operations).toMatchObject({ removed: "replace", renamed: "replace", moved: "replace" });
        const { removed, renamed, moved: tainted, ...kept } = idsOf(stack);
        expect(before).toMatchObject(kept);
        expect([before.removed, before.renamed, before.moved]).not.toEqual([removed, renamed, tainted]);
    });
});

test("a child of a protected service inherits its protect option, and the removal of the child needs the documented run before it", async () => {
    const stack = await startStack();
    const program =
        (hasChild: boolean, args: ServiceArgs = {}): Program =>
        () => {
            const db = new Service("db", args);
            if (hasChild) {
                const size = { nodes: 1, cpuMillis: 500 };
                new ReadReplicaSet("readers", { serviceId: db.serviceId, ...size }, { parent: db });
            }
        };
    await stack.setConfig("clouddb:deletionProtection", "true");
    await stack.up(program(true));
    expect((await failed(stack.preview(program(false)))).errors.join()).toContain("it is protected");
    await stack.up(program(true, { deletionProtection: false }));
    await stack.up(program(false));
    expect(stack.emulator.snapshot().replicaSets).toEqual([]);
    expect(await protectedResources(stack)).toEqual(["db"]);
});

test("a development stack switches the protection off in its configuration, and `pulumi destroy` needs no other step", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    await stack.setConfig("clouddb:deletionProtection", "false");
    await stack.up(() => {
        new Service("orders");
    });
    expect((await stack.state("orders")).outputs).toMatchObject({ deletionProtection: false });
    expect(await protectedResources(stack)).toEqual([]);
    await stack.destroy();
    expect(stack.emulator.snapshot().services).toEqual([]);
});

test("a service that is deleted before one that it uses: the preview fails if the program now protects it, and otherwise says that its data will be lost", async () => {
    const stack = await startStack();
    const program =
        (region: string, deletionProtection: boolean): Program =>
        () => {
            const { regionCode } = new Service("used", { regionCode: region }, { deleteBeforeReplace: true });
            new Service("dependent", { regionCode, deletionProtection });
        };
    await stack.up(program("us-east-1", false));
    const before = idsOf(stack);
    const refused = await failed(stack.preview(program("eu-central-1", true)));
    expect(refused.errors.join()).toMatch(
        /Service "dependent" \(\w+\) is protected, and this run would replace it \(regionCode "us-east-1" -> "eu-central-1"\)/,
    );
    expect(idsOf(stack)).toEqual(before);
    const { messages } = await stack.preview(program("eu-central-1", false));
    expect(messages.dependent?.join("\n")).toContain("is deleted, and its data will be lost");
    await stack.up(program("eu-central-1", false));
    expect(Object.values(idsOf(stack)).filter((id) => !Object.values(before).includes(id))).toHaveLength(2);
});

test("--replace with deleteBeforeReplace deletes a service whose entry says false, although the program says true", async () => {
    const stack = await startStack();
    const program =
        (deletionProtection: boolean): Program =>
        () => {
            new Service("orders", { deletionProtection }, { deleteBeforeReplace: true });
        };
    await stack.up(program(false));
    const before = idsOf(stack);
    await stack.up(program(true), { replace: [(await stack.state("orders")).urn] });
    expect(Object.values(idsOf(stack))).toHaveLength(1);
    expect(idsOf(stack)).not.toEqual(before);
});

test("replaceWith and replacementTrigger: the preview warns that data will be lost, and fails if the program protects the service", async () => {
    const stack = await startStack();
    const program =
        (version: number, args: ServiceArgs = {}): Program =>
        () => {
            const other = new Stash("other", { input: version });
            new Service("with", args, { replaceWith: [other], deleteBeforeReplace: true });
            new Service("trigger", args, { replacementTrigger: version, deleteBeforeReplace: true });
        };
    await stack.up(program(1));
    const before = idsOf(stack);
    const replace = [(await stack.state("other")).urn];
    const refused = await failed(stack.preview(program(2, { deletionProtection: true }), { replace }));
    const cause =
        "--replace, a taint, replaceOnChanges, replaceWith, replacementTrigger, or what it uses is deleted first";
    const refusal = `is protected, and this run would replace it (${cause}): its data would be lost`;
    expect(refused.errors.join()).toContain(refusal);
    expect((await failed(stack.up(program(2, { deletionProtection: true }), { replace }))).errors.join()).toContain(
        refusal,
    );
    expect(idsOf(stack)).toEqual(before);
    const { messages } = await stack.preview(program(2), { replace });
    const warning = `is replaced (${cause}): the old service is deleted, and its data will be lost, unless retainOnDelete keeps it`;
    const shown = [warning, expect.anything(), unprotected];
    expect(messages).toMatchObject({ with: shown, trigger: shown });
    const { operations } = await stack.up(program(2), { replace });
    expect(operations).toMatchObject({ with: "replace", trigger: "replace" });
});
