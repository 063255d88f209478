import { Service } from "../../sdk/nodejs";
import { startStack } from "../support/engine";

// What only the engine shows: how it diffs the forks of a service that it replaces, and what it calls unknown then.

const copies = ["copy-first", "copy-after", "kept-first", "kept-after"];

/** Two sources, one of which is deleted before it is replaced, and an unprotected and a protected copy of each. */
const program = (regionCode: string) => () => {
    for (const order of ["first", "after"]) {
        const source = new Service(`source-${order}`, { regionCode }, { deleteBeforeReplace: order === "first" });
        const fork = { serviceId: source.serviceId, strategy: "NOW" as const };
        new Service(`copy-${order}`, { fork });
        new Service(`kept-${order}`, { fork, deletionProtection: true });
    }
};

test("the copies of a service that is replaced stay, in the preview and in the update, whatever its new id is", async () => {
    const stack = await startStack();
    await stack.up(program("us-east-1"));
    const stateOf = async (name: string) => {
        const { id, outputs } = await stack.state(name);
        return [name, { id, fork: outputs.fork }];
    };
    const before = await Promise.all(copies.map(stateOf));
    stack.calls();
    const operations = {
        ...Object.fromEntries(copies.map((name) => [name, "same"])),
        "source-first": "replace",
        "source-after": "replace",
    };
    const next = program("eu-west-1");
    const preview = await stack.preview(next);
    expect(preview.operations).toEqual(operations);
    const updated = await stack.up(next);
    expect(updated.operations).toEqual(operations);
    for (const name of copies) {
        expect(preview.messages[name]).toBeUndefined();
        expect(updated.messages[name]).toEqual([expect.stringContaining("changes nothing")]);
    }
    expect(stack.calls().filter((call) => call.startsWith("delete") || call.startsWith("fork"))).toHaveLength(2);
    expect((await stack.up(next)).messages).toEqual({});
    expect(await Promise.all(copies.map(stateOf))).toEqual(before);
});
