import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { blocksOf, read } from "../support/documents";
import { failed, startStack, type Options, type Program, type TestStack } from "../support/engine";
import { deleteOrphan, orphansOf, remainingServices } from "../support/remedies";
import { runShell } from "../support/project";

// The cases of docs/protection.md, with its commands. The entries have no protect option, as in other languages: only the
// provider refuses.

const page = "docs/protection.md";
const rows = new Map(
    [...read(page).matchAll(/^\| (.+?) +\| (\S.*?) +\| (.+?) +\|$/gm)].map(([, name = "", line = "", steps = ""]) => [
        name,
        { line, steps },
    ]),
);
const rowOf = (name: string) => {
    const row = rows.get(name);
    if (row === undefined) {
        throw new Error(`The page has no row ${name}.`);
    }
    return row;
};
const lines: Readonly<Record<string, string>> = {
    D: "is not deleted: its entry in the state has deletionProtection: true",
    R: "is protected, and this run would replace it",
    E: "already exists: ",
};

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
});

const service =
    (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}): Program =>
    () => {
        new Service(name, args, { protect: false, ...opts });
    };
const nothing: Program = () => undefined;
const unprotected = { deletionProtection: false };

const ids = () => remainingServices(stack);
const urnOf = async (name = "orders") => (await stack.state(name)).urn;

/** Fails unless the error begins as one of the lines of the row. */
async function refused(name: string, program: Program, options: Options = {}): Promise<void> {
    const { errors } = await failed(stack.up(program, options));
    const expected = rowOf(name)
        .line.split(", ")
        .map((line) => lines[line]);
    expect(expected.filter((line) => line !== undefined && errors.join("\n").includes(line))).not.toEqual([]);
}

/** Runs the command of the row, with this URN. */
async function follow(name: string, urn: string): Promise<void> {
    const [command = ""] = /(?<=`)pulumi state [^`]+/.exec(rowOf(name).steps) ?? [];
    await run(command.replace(/URN$/, `'${urn}'`));
}

async function run(command: string): Promise<void> {
    await stack.pulumi("stack", "select");
    await runShell(command, stack.folder, { ...stack.environment(), PULUMI_SKIP_CONFIRMATIONS: "true" });
}

/** Removes the entry with this id by the command of the page. */
async function removeEntry(id: string): Promise<void> {
    const [command = ""] = blocksOf(page, ["sh"]).flatMap(({ text }) => /^.*\bjq\b.*$/m.exec(text) ?? []);
    await run(command.replace('"ID"', `"${id}"`));
}

test("removed from the program", async () => {
    await stack.up(service("orders"));
    await refused("removed from the program", nothing);
    await stack.up(service("orders", unprotected));
    await stack.up(nothing);
    expect(ids()).toEqual([]);
});

test("`destroy`, and the program has no such entry", async () => {
    await stack.up(service("orders"));
    await refused("`destroy`, and the program has no such entry", nothing);
    await failed(stack.destroy());
    await stack.up(service("orders", unprotected));
    await stack.destroy();
    expect(ids()).toEqual([]);
});

test("renamed, and both databases exist", async () => {
    await stack.up(service("orders"));
    const before = ids();
    await refused("renamed or moved, and both databases exist", service("main"));
    await stack.up(() => {
        service("orders")();
        service("main", unprotected)();
    });
    await stack.up(service("orders"));
    expect(ids()).toEqual(before);
    await stack.up(service("main", {}, { aliases: [{ name: "orders" }] }));
    expect((await stack.state("main")).id).toBe(before[0]);
    await stack.up(undefined, { expectNoChanges: true });
});

test("--replace, replaceOnChanges, replaceWith", async () => {
    const name = "`--replace`, `replaceOnChanges`, `replaceWith`";
    const first = { deleteBeforeReplace: true };
    await stack.up(service("orders", {}, first));
    const before = ids();
    const replace = { replace: [await urnOf()] };
    await refused(name, service("orders", {}, first), replace);
    await stack.up(undefined, { expectNoChanges: true });
    await stack.up(service("orders", unprotected, first));
    expect(ids()).toEqual(before);
    await stack.up(undefined, replace);
    expect(ids()).toEqual([expect.not.stringMatching(before.join())]);
});

test.each([false, true])("tainted, with deleteBeforeReplace: %s", async (deleteBeforeReplace) => {
    const program = service("orders", {}, { deleteBeforeReplace });
    await stack.up(program);
    await stack.pulumi("state", "taint", await urnOf(), "--yes");
    await refused("tainted", program);
    await follow("tainted", await urnOf());
    await stack.up(undefined, { expectNoChanges: true });
});

test("replaced without deleteBeforeReplace", async () => {
    const name = "replaced without `deleteBeforeReplace`";
    await stack.up(service("orders", unprotected));
    const before = ids();
    const replace = { replace: [await urnOf()] };
    await refused(name, service("orders", unprotected), replace);
    await stack.up(service("orders", unprotected, { deleteBeforeReplace: true }), replace);
    expect(ids()).toEqual([expect.not.stringMatching(before.join())]);
});

test("stop managing it, and manage it again", async () => {
    await stack.up(service("orders"));
    const before = ids();
    await refused("keep the database, but stop managing it", nothing);
    await follow("keep the database, but stop managing it", await urnOf());
    await stack.up(nothing);
    expect(ids()).toEqual(before);
    await refused("`pulumi state delete`, or an interrupted run", service("orders"));
    await stack.up(service("orders", { existingId: before[0] ?? "", password: "another-password" }));
    expect(ids()).toEqual(before);
});

test("adopted by another entry", async () => {
    expect(rowOf("adopted by another entry").line).toBe("none");
    await stack.up(service("orders"));
    const before = ids();
    await stack.up(service("main", { existingId: before[0] ?? "", password: "another-password" }));
    expect(ids()).toEqual(before);
    expect(await stack.entries("orders")).toEqual([]);
});

describe("pending deletion: its replacement exists", () => {
    /** Replaces a service whose entry still protects it. */
    const replaced = async () => {
        await stack.up(service("orders"));
        const [old = ""] = ids();
        await refused("pending deletion: its replacement exists", service("orders", { name: "new", ...unprotected }), {
            replace: [await urnOf()],
        });
        return { old, made: ids().find((id) => id !== old) ?? "" };
    };

    test("the new one stays", async () => {
        const { old, made } = await replaced();
        await removeEntry(old);
        await stack.up(undefined, { expectNoChanges: true });
        await deleteOrphan(stack, await orphansOf(stack));
        expect(ids()).toEqual([made]);
    });

    test("the old one stays", async () => {
        const { old, made } = await replaced();
        await removeEntry(made);
        await stack.up(service("orders", { existingId: old, password: "another-password" }));
        expect(await stack.entries("orders")).toMatchObject([{ id: old }]);
        await deleteOrphan(stack, await orphansOf(stack));
        expect(ids()).toEqual([old]);
    });
});
