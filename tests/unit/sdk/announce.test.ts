import { createServer, type Server } from "node:net";
import { once } from "node:events";
import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { factFiles } from "../../../provider/ownership/runFacts";
import { announce, announceConstruction } from "../../../sdk/nodejs/announce";

let engine: Server;
let address: string;

beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "performance", "Date"] });
    engine = createServer().listen(0, "127.0.0.1");
    await once(engine, "listening");
    address = `127.0.0.1:${(engine.address() as { port: number }).port}`;
});

afterEach(() => {
    engine.close();
    jest.useRealTimers();
});

/** The part of Pulumi's stores that its public types leave out. */
const { withLocalStorage } = state as unknown as { withLocalStorage: (work: () => Promise<void>) => Promise<void> };

/** Declares a resource of a program, or of a component, for each of which Pulumi has a store. */
const declare = (name: string, isComplete = true) =>
    withLocalStorage(async () => {
        resetOptions("shop", "dev", 1, address, "127.0.0.1:1", false, "");
        const onRegistered = announceConstruction(name);
        const resource = { urn: pulumi.output(`urn:${name}`), id: pulumi.output("a") };
        if (isComplete) {
            announce("Service", resource as never, {}, onRegistered, undefined);
        }
        await new Promise((resolve) => setImmediate(resolve));
    });

/** The facts of the resources by name, each with the last value. */
function facts(): Record<string, object> {
    const run = factFiles(address);
    const found: Record<string, object> = {};
    for (const { urn, ...fact } of run.received()) {
        const name = String(urn).replace(/^.*:/, "");
        found[name] = { ...found[name], ...fact };
    }
    run.end?.();
    return found;
}

const announces = expect.objectContaining({ id: "a" }) as object;

it("all resources of a run are announced, also those of several components in one process", async () => {
    await declare("one");
    await declare("two");
    const complete = { announces, isRegistering: false };
    expect(facts()).toEqual({ one: complete, two: complete });
});

it("a resource is announced before its registration", async () => {
    await declare("one", false);
    expect(facts()).toEqual({ one: { isRegistering: true } });
});

it("the announcements end with the engine, because a later one can have its address", async () => {
    await declare("one");
    engine.close();
    for (let waits = 0; Object.keys(facts()).length > 0 && waits < 1000; waits += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        await jest.advanceTimersByTimeAsync(500);
    }
    expect(facts()).toEqual({});
});
