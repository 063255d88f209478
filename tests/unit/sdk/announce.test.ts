import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { factFiles } from "../../../provider/ownership/runFacts";
import { announce, announceConstruction } from "../../../sdk/nodejs/announce";

const address = `127.0.0.1:${process.pid}`;
const [other, moved, early] = [2, 3, 4].map((host) => `127.0.0.${host}:${process.pid}`) as [string, string, string];
const { argv } = process;

afterEach(() => {
    process.argv = argv;
});

/** The part of Pulumi's stores that its public types leave out. */
const { withLocalStorage } = state as unknown as { withLocalStorage: (work: () => Promise<void>) => Promise<void> };

/** Declares a resource of a program, or of a component, for each of which Pulumi has a store. */
const declare = (engine: string, constructed: string, urn = constructed) =>
    withLocalStorage(async () => {
        resetOptions("shop", "dev", 1, engine, "127.0.0.1:1", false, "");
        const announced = announceConstruction(Promise.resolve(constructed));
        await announced;
        const resource = { urn: pulumi.output(urn), id: pulumi.output("a") };
        announce("Service", resource as never, {}, announced, undefined);
        await new Promise((resolve) => setImmediate(resolve));
    });

/** The facts of the resources, each with the last value. */
function factsAt(engine: string): Record<string, object> {
    const facts = factFiles(engine);
    const found: Record<string, object> = {};
    for (const { urn, ...fact } of facts.received()) {
        found[String(urn)] = { ...found[String(urn)], ...fact };
    }
    facts.end?.();
    return found;
}

const announces = expect.objectContaining({ id: "a" }) as object;

it("all components of a process that the engine has started are announced", async () => {
    process.argv = [...argv, address];
    await declare(address, "one");
    await declare(address, "two");
    const complete = { announces, isRegistering: false };
    expect(factsAt(address)).toEqual({ one: complete, two: complete });
});

it("in a process with many runs, the announcements of a run end with the next one at the same address", async () => {
    await declare(other, "one");
    await declare(other, "two");
    expect(Object.keys(factsAt(other))).toEqual(["two"]);
});

it("a resource is registered when the engine has it, even if a transformation has moved it under a parent", async () => {
    await declare(moved, "one", "parent$one");
    expect(factsAt(moved)).toEqual({ one: { isRegistering: false }, parent$one: { announces } });
});

it("a resource is announced before its registration", async () => {
    await withLocalStorage(async () => {
        resetOptions("shop", "dev", 1, early, "127.0.0.1:1", false, "");
        await announceConstruction(Promise.resolve("one"));
    });
    expect(factsAt(early)).toEqual({ one: { isRegistering: true } });
});
