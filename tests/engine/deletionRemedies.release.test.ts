import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type EngineRun, type Options, type Program, type TestStack } from "../support/engine";
import { deleteOrphan, follow, lineOf, orphansOf, remainingServices } from "../support/remedies";

// Each remedy in the message of a refused deletion, on each kind of entry: only the engine shows that it leads out. The
// entries have no protect option, as in other languages.

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
});

const own = { protect: false };

const orders =
    (args: ServiceArgs = {}, opts: CustomResourceOptions = {}): Program =>
    () => {
        new Service("orders", args, { ...own, ...opts });
    };
const nothing: Program = () => undefined;
const unprotected = { deletionProtection: false };

const ids = () => remainingServices(stack);
const messageOf = async (run: Promise<EngineRun>) => {
    const { errors } = await failed(run);
    expect(errors).toEqual([expect.stringMatching(/is not deleted: |is protected, and this run would replace it/)]);
    return errors.join("\n");
};
const urn = async () => (await stack.state("orders")).urn;

/** A kind of entry, and the command whose deletion of it is refused. */
interface Kind {
    readonly args?: ServiceArgs;
    readonly prepare: () => Promise<unknown>;
    readonly refused: () => Promise<EngineRun>;
}

const create = () => stack.up(orders());
const createUnfinished = async () => {
    stack.emulator.addFaults([{ operation: "enablePooler", effect: { kind: "answer", status: 400 } }]);
    await failed(stack.up(orders({ connectionPooler: true })));
};
const taint = async () => stack.pulumi("state", "taint", await urn(), "--yes");
const createTainted = async () => {
    await create();
    await taint();
};
const destroyed = () => stack.destroy();
const removed = () => stack.up(nothing);

const withoutSuccessor: Readonly<Record<string, Kind>> = {
    "a destroyed entry": { prepare: create, refused: destroyed },
    "a removed entry": { prepare: create, refused: removed },
    "a destroyed, tainted entry": { prepare: createTainted, refused: destroyed },
    "a removed, tainted entry": { prepare: createTainted, refused: removed },
    "a destroyed entry of an unfinished creation": { prepare: createUnfinished, refused: destroyed },
    "a removed entry of an unfinished creation": { prepare: createUnfinished, refused: removed },
};

describe.each(Object.entries(withoutSuccessor))("%s", (name, { prepare, refused }) => {
    test("is deleted after an up with deletionProtection: false", async () => {
        await prepare();
        const message = await messageOf(refused());
        expect(message).toContain("\nDelete it: declare it with deletionProtection: false, run `pulumi up`");
        if (name.includes("tainted")) {
            await follow(stack, lineOf(message, "If it is tainted"), "pulumi state untaint");
        }
        await stack.up(orders(unprotected));
        await refused();
        expect(ids()).toEqual([]);
    });

    test("is no longer managed after `pulumi state delete --force`", async () => {
        await prepare();
        const before = ids();
        const message = await messageOf(refused());
        await follow(stack, lineOf(message, "Keep it, stop managing it"), "pulumi state delete");
        await refused();
        expect(ids()).toEqual(before);
    });
});

describe("an entry that a run replaces before it creates the new one", () => {
    const first = { deleteBeforeReplace: true };
    const replace = async (program: Program): Promise<EngineRun> =>
        stack.up(program, { replace: [await urn()] } satisfies Options);

    test("stays without --replace, and is replaced after an up with deletionProtection: false", async () => {
        await stack.up(orders({}, first));
        const before = ids();
        const message = await messageOf(replace(orders({}, first)));
        expect(message).toContain("\nKeep it: undo what replaces it: a change, `--replace`");
        await stack.up(undefined, { expectNoChanges: true });
        expect(message).toContain(
            "\nReplace it: undo what replaces it, set deletionProtection: false and run `pulumi up`",
        );
        await stack.up(orders(unprotected, first));
        expect(ids()).toEqual(before);
        await replace(orders(unprotected, first));
        expect(ids()).toEqual([expect.not.stringMatching(before.join())]);
    });

    test("stays after the command in the message of its creation if it is tainted, and the option is missing", async () => {
        await create();
        await taint();
        const { errors } = await failed(stack.up());
        const message = errors.join("\n");
        expect(message).toContain("already exists: ");
        await follow(stack, lineOf(message, "Tainted"), "pulumi state untaint");
        await stack.up(undefined, { expectNoChanges: true });
    });

    test("stays after `pulumi state untaint` if it is tainted", async () => {
        await stack.up(orders({}, first));
        await taint();
        const message = await messageOf(stack.up());
        await follow(stack, message, "pulumi state untaint");
        await stack.up(undefined, { expectNoChanges: true });
        await stack.up(orders(unprotected, first));
        const before = ids();
        await taint();
        await stack.up();
        expect(ids()).toEqual([expect.not.stringMatching(before.join())]);
    });

    test("of an unfinished creation is replaced after an up with deletionProtection: false", async () => {
        await createUnfinished();
        const before = ids();
        const declared = { connectionPooler: true };
        await messageOf(replace(orders(declared, first)));
        await stack.up(orders({ ...declared, ...unprotected }, first));
        await replace(orders({ ...declared, ...unprotected }, first));
        expect(ids()).toEqual([expect.not.stringMatching(before.join())]);
    });
});

describe("an entry that is pending deletion, in a pipeline", () => {
    /** Replaces the service, which stays because this declaration or its entry protects it. */
    const replaced = async (before: ServiceArgs = {}, declared: ServiceArgs = {}) => {
        await stack.up(orders(before));
        const [old = ""] = ids();
        const run = stack.up(orders({ name: "new", ...declared }), { replace: [await urn()] });
        const message = await messageOf(run);
        return { message, old, made: ids().find((id) => id !== old) ?? "" };
    };
    const removeEntry = "pulumi stack export";

    test("is no longer managed after its entry is removed", async () => {
        const { message, old, made } = await replaced();
        await follow(stack, lineOf(message, "Keep both"), removeEntry);
        await stack.up(undefined, { expectNoChanges: true });
        expect(ids().sort()).toEqual([old, made].sort());
        expect(await stack.entries("orders")).toMatchObject([{ id: made }]);
    });

    test("takes its place again after the entry of the new one is removed", async () => {
        const { message, old } = await replaced();
        await follow(stack, lineOf(message, `Keep ${old}`), removeEntry);
        const [, existingId = ""] = /existingId: "(\w+)" and a password/.exec(message) ?? [];
        await stack.up(orders({ existingId, password: "another-password" }));
        expect(await stack.entries("orders")).toMatchObject([{ id: old }]);
    });

    test("is deleted by deletionProtection: false if only the program protects it", async () => {
        const { message, made } = await replaced(unprotected, { deletionProtection: true });
        expect(message).toContain("the program has deletionProtection: true");
        await stack.up(orders({ name: "new", ...unprotected }));
        expect(ids()).toEqual([made]);
    });

    test("is deleted without its last copy, which failed, after its entry is removed", async () => {
        const copied = { deletionProtection: false, finalFork: true, regionCode: "us-east-1" };
        await stack.up(orders(copied));
        const [old = ""] = ids();
        stack.emulator.addFaults([{ operation: "forkService", effect: { kind: "answer", status: 402 } }]);
        const { errors } = await failed(stack.up(orders({ ...copied, regionCode: "eu-west-1" })));
        const message = errors.join("\n");
        expect(message).toContain(`(${old}) was not deleted: the last copy failed (402 `);
        await follow(stack, lineOf(message, "Without a copy"), removeEntry);
        await deleteOrphan(stack, await orphansOf(stack));
        await stack.up(undefined, { expectNoChanges: true });
        expect(ids()).toHaveLength(1);
        expect(ids()).not.toContain(old);
    });

    test("does not prevent a fork of the empty one that has taken its place, after that one is adopted again", async () => {
        await stack.up(orders({ ...unprotected, regionCode: "us-east-1" }));
        const moved = { ...unprotected, regionCode: "eu-west-1", password: "another-password" };
        stack.emulator.addFaults([{ operation: "deleteService", effect: { kind: "answer", status: 400 } }]);
        await failed(stack.up(orders(moved)));
        const withCopy: Program = () => {
            const { serviceId } = new Service("orders", moved, own);
            new Service("copy", { fork: { serviceId, strategy: "NOW" } }, own);
        };
        const { errors } = await failed(stack.up(withCopy));
        const refusal = errors.find((error) => error.includes("without its data")) ?? "";
        const idOf = async (isPending: boolean) =>
            (await stack.entries("orders")).find((entry) => (entry.delete === true) === isPending)?.id ?? "";
        const [old, empty] = [await idOf(true), await idOf(false)];
        await follow(stack, lineOf(refusal, `Copy ${empty} anyway, and delete ${old}`), removeEntry);
        await stack.up(orders({ ...moved, existingId: empty }));
        await stack.up(withCopy);
        expect(stack.emulator.snapshot().services).toMatchObject([
            { service_id: empty },
            { forked_from: { service_id: empty } },
        ]);
    });

    test("is no dead end for a destroy, whose message leads to that of an up", async () => {
        const { old } = await replaced();
        await failed(stack.up(orders({ name: "new", ...unprotected })));
        const { errors } = await failed(stack.destroy());
        expect(errors.join("\n")).toContain(`(${old}) is not deleted: its state has deletionProtection: true`);
        expect(errors.join("\n")).toContain("run `pulumi up`");
        await follow(stack, lineOf(await messageOf(stack.up()), `Delete ${old}`), removeEntry);
        await stack.up();
        await stack.destroy();
        expect(ids()).toEqual([old]);
    });
});
