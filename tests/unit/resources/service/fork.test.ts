import { computed } from "../../../../provider/base/fields";
import { CloudDbError } from "../../../../provider/api/callErrors";
import { AdoptionError } from "../../../../provider/lifecycle/errors";
import type { Session } from "../../../../provider/lifecycle/session";
import type { Fork } from "../../../../provider/resources/service/inputs";
import { failureOf } from "../../../support/client";
import { call, loseResponse, service, withWay } from "../../../support/fixtures";
import { hosts, sessionsOn } from "../../../support/hosts";
import { lifecycles } from "../../../support/lifecycles";
import { simulate } from "../../../support/simulation";

// A fork has its data since its creation: then, the id of its source matters no more.

const { Service } = lifecycles;
const unprotected = { deletionProtection: false };
const copyOf = (fork: unknown, more: object = {}) =>
    service({ name: "copy", fork: fork as Fork, ...unprotected, ...more });

/** A fork of a service, and another service. */
async function forked() {
    const world = await simulate();
    const source = await Service.create(service({ name: "source" }), world.run());
    const other = await Service.create(service({ name: "other" }), world.run());
    const from = (serviceId: unknown) => ({ serviceId, strategy: "NOW" });
    const declared = copyOf(from(source.id));
    const copy = await Service.create(declared, world.run());
    world.changes();
    const urn = "urn:pulumi:dev::shop::clouddb:index:Service::copy";
    /** A diff after a check in a process of its own, as of a program. */
    const diff = (inputs: object, olds: object = declared) => {
        const { startSession, lines } = sessionsOn(world);
        const session: Session = startSession();
        const lifecycle = Service.in(session);
        const checked = lifecycle.check({ ...inputs, __urn: urn }, olds);
        expect(checked.problems).toEqual([]);
        return { ...lifecycle.diff(copy.id, copy.state, checked.inputs), lines };
    };
    return { world, source: source.id, other: other.id, from, declared, copy, diff };
}

describe("the source of a fork", () => {
    it.each([
        ["another id", (other: string) => ({ serviceId: other, strategy: "NOW" })],
        ["an unknown id", () => ({ serviceId: computed, strategy: "NOW" })],
        ["none, because the program no longer declares fork", () => undefined],
    ])("changes nothing with %s", async (_, fork) => {
        const { other, diff } = await forked();
        for (const deletionProtection of [true, false]) {
            const { plan, notices } = diff(copyOf(fork(other), { deletionProtection }));
            expect(plan).toMatchObject({ replace: [], steps: [] });
            expect(notices.filter(({ text }) => String(text).includes("replaced"))).toEqual([]);
        }
    });

    it("in the state is the one of the creation, also after an update", async () => {
        const { world, source, other, from, copy } = await forked();
        const state = await Service.update(
            copy.id,
            copy.state,
            copyOf(from(other), { environment: "PROD" }),
            world.run(),
        );
        expect(state).toMatchObject({ fork: from(source), forkedFrom: { serviceId: source }, environment: "PROD" });
        expect(
            await Service.update(copy.id, state, service({ name: "copy", ...unprotected }), world.run()),
        ).toMatchObject({
            fork: from(source),
        });
    });

    it("is named by one line if the program declares another one, in that run only", async () => {
        const { source, other, from, declared, diff } = await forked();
        const [before, after] = [declared, copyOf(from(other))];
        const line = `fork.serviceId "${source}" -> "${other}" changes nothing: it is read only at the creation`;
        expect(diff(after, before).lines).toEqual([line]);
        expect(diff(after, after).lines).toEqual([]);
        expect(diff(copyOf(from(computed)), before).lines).toEqual([]);
        expect(diff(before, copyOf(from(computed))).lines).toEqual([]);
    });
});

it("a fork that is unknown as a whole may replace the copy, but not in a diff without a check", async () => {
    const { copy, declared, diff } = await forked();
    const unknown = copyOf(computed);
    expect(diff(unknown)).toMatchObject({ mayReplace: true });
    expect(Service.diff(copy.id, copy.state, unknown).plan.replace).toEqual([]);
    const elsewhere = { ...declared, projectId: computed } as never;
    expect(Service.diff(copy.id, copy.state, elsewhere).plan.replace).toHaveLength(1);
});

it.each([
    ["another strategy", "LAST_SNAPSHOT", undefined],
    ["another time", "PITR", "2026-01-31T12:00:00Z"],
])(
    "%s replaces the copy, certainly also while the id is unknown, which is refused for a protected one",
    async (_, strategy, targetTime) => {
        const { diff } = await forked();
        for (const serviceId of [computed, "zzzzzzzzzz"]) {
            const fork = { serviceId, strategy, targetTime };
            const { plan, mayReplace } = diff(copyOf(fork));
            expect([plan.replace.map(({ property }) => property), mayReplace]).toEqual([["fork"], false]);
            expect(() => diff(copyOf(fork, { deletionProtection: true }))).toThrow(CloudDbError);
        }
    },
);

it("an unknown time may replace the copy", async () => {
    const { source, diff } = await forked();
    const { plan, mayReplace } = diff(copyOf({ serviceId: source, strategy: computed }));
    expect([plan.replace.length, mayReplace]).toEqual([1, true]);
});

it("an adoption accepts a fork of any service, and refuses a service that is none", async () => {
    const { world, source, other, from, copy } = await forked();
    const adopted = await Service.create(copyOf(from(other), { existingId: copy.id }), world.run());
    expect(Service.plan(adopted.state, copyOf(from(source))).replace).toEqual([]);
    const refused = Service.create(service({ existingId: source, fork: from(other) as Fork }), world.run());
    await expect(refused).rejects.toThrow(AdoptionError);
    await expect(refused).rejects.toThrow("it is not a fork");
});

it("an imported fork may declare any source, and a service that is no fork is replaced by one", async () => {
    const { world, other, source, from, copy } = await forked();
    const imported = await Service.import(copy.id, { projectId: world.emulator.projectId }, world.run());
    expect(Service.plan(imported.state, copyOf(from(other))).replace).toEqual([]);
    const plain = await Service.import(source, { projectId: world.emulator.projectId }, world.run());
    expect(Service.plan(plain.state, copyOf(from(other))).replace).toMatchObject([{ property: "fork" }]);
});

it.each(hosts)(
    "a replacement on %s whose source is gone fails at the creation, and the old copy stays",
    async (_, hostIn) => {
        const { world, source, from } = await forked();
        const host = hostIn(world);
        const declared = { name: "second", fork: from(source), ...unprotected };
        const { entry } = await host.up("Service", declared);
        const { message } = await failureOf(
            host.up("Service", { ...declared, fork: { ...from("zzzzzzzzzz"), strategy: "LAST_SNAPSHOT" } }, entry),
            Error,
        );
        expect(message).toContain('fork.serviceId "zzzzzzzzzz"');
        expect(world.emulator.snapshot().services.map(({ service_id: id }) => id)).toContain(entry.id);
    },
);

it("a fork whose response is lost is found, but one of another source is not taken for it", async () => {
    const { world, source, other, from } = await forked();
    const create = (name: string) => Service.create(service({ name, fork: from(source) as Fork }), world.run());
    world.fault.at("forkService", loseResponse, 1);
    await expect(create("second")).resolves.toMatchObject({ state: { forkedFrom: { serviceId: source } } });
    world.fault.at("forkService", async () => {
        world.fault.over();
        await call(world, "forkService", { service_id: other }, { name: "third", fork_strategy: "NOW" });
        return { status: 502, headers: {}, body: "" };
    });
    await expect(create("third")).rejects.toMatchObject(withWay("If nobody else uses it"));
});
