import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { factFiles } from "../../../provider/ownership/runFacts";
import { announce } from "../../../sdk/nodejs/announce";

const address = `127.0.0.1:${process.pid}`;
const other = `127.0.0.2:${process.pid}`;
const { argv } = process;

afterEach(() => {
    process.argv = argv;
});

/** The part of Pulumi's stores that its public types leave out. */
const { withLocalStorage } = state as unknown as { withLocalStorage: (work: () => Promise<void>) => Promise<void> };

/** A resource of a program, or of a component, for each of which Pulumi has a store. */
const declare = (engine: string, urn: string) =>
    withLocalStorage(async () => {
        resetOptions("shop", "dev", 1, engine, "127.0.0.1:1", false, "");
        const resource = { urn: pulumi.output(urn), id: pulumi.output("a") };
        announce("Service", resource as never, {}, undefined);
        await new Promise((resolve) => setImmediate(resolve));
    });

const announced = (engine: string) => {
    const facts = factFiles(engine);
    const urns = facts.received().map(({ urn }) => urn);
    facts.end?.();
    return urns;
};

it("all components of a process that the engine has started are announced", async () => {
    process.argv = [...argv, address];
    await declare(address, "one");
    await declare(address, "two");
    expect(announced(address)).toEqual(["one", "two"]);
});

it("in a process with many runs, the announcements of a run end with the next one at the same address", async () => {
    await declare(other, "one");
    await declare(other, "two");
    expect(announced(other)).toEqual(["two"]);
});
