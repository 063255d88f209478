import { callsOf, typeTokens, type HostName } from "../../support/calls";
import { failureOf } from "../../support/client";
import { sessionsOn } from "../../support/hosts";
import { properties } from "../../support/properties";
import { simulate } from "../../support/simulation";

// A rename with an alias changes no input, so the state has the URN of the last update: here, that of two names ago.

const hosts: readonly HostName[] = ["dynamic", "native"];

/** A protected service that a run has created with its first name. Each call of `calls` is another run. */
async function start(host: HostName) {
    const world = await simulate();
    const { startSession } = sessionsOn(world);
    const urnOf = (name: string) => `urn:pulumi:dev::shop::${typeTokens[host]}Service::${name}`;
    const declared = (name: string) => {
        const hidden = host === "dynamic" ? { __urn: urnOf(name) } : {};
        return { urn: urnOf(name), news: properties({ name, ...hidden }) };
    };
    const calls = () => callsOf(host, "Service", startSession());
    const first = calls();
    const created = await first.create({ ...declared("first"), news: await first.check(declared("first")) });
    return { world, calls, declared, old: { urn: urnOf("third"), id: created.id, olds: created.outputs } };
}

/** A command for one resource has its present URN, or says where it is. */
function expectPresentUrn(host: HostName, message: string): void {
    expect(message).not.toContain("::first");
    expect(message).toContain(host === "native" ? "::third'" : "'URN'");
    expect(message.includes("(`pulumi stack --show-urns` prints the URN)")).toBe(host === "dynamic");
}

test.each(hosts)("on the %s host, a refused deletion after two renames names no URN", async (host) => {
    const { calls, declared, old } = await start(host);
    const run = calls();
    await run.check(declared("another"));
    const { message } = await failureOf(run.delete(old), Error);
    expect(message).not.toContain("urn:pulumi");
});

test.each(hosts)("on the %s host, a refresh that finds nothing names no old URN", async (host) => {
    const { world, calls, old } = await start(host);
    world.emulator.deleteService(old.id);
    const { message } = await failureOf(calls().read(old), Error);
    expectPresentUrn(host, message);
});
