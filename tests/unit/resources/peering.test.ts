import type { PeeringFate } from "../../../emulator";
import { emptyRecord } from "../../../provider/model/state";
import { failure, labelsOf, network, peering, respond, withWay } from "../../support/fixtures";
import { hosts, type Entry } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const { Peering, Vpc } = lifecycles;
const minute = 60_000;

describe("peerings that can never become active", () => {
    const again = "Create a new one";
    const item = { id: "1", peer_account_id: "123", peer_region_code: "r", peer_vpc_id: "v" };

    /** A peering that gets this status during the wait. */
    async function ending(status: string, message?: string) {
        const world = await simulate({ peerings: "acceptance" });
        const net = await Vpc.create(network, world.run());
        const effect = { kind: "peeringFails" as const, status, ...(message && { message }) };
        world.emulator.addFaults([{ operation: "createPeering", effect }]);
        return { world, net };
    }

    /** An active peering. */
    async function active() {
        const world = await simulate({ peerings: "immediate" });
        const net = await Vpc.create(network, world.run());
        return { world, net, ...(await Peering.create(peering(net.id), world.run())) };
    }

    it.each([
        { status: "REJECTED", ways: [again, "Then"] },
        { status: "expired", ways: [again, "Then"] },
        { status: "Deleted", ways: [again] },
        { status: "failed", ways: ["Correct", again] },
    ])(
        "the creation of a peering that can never become active fails at once with the message of the API and a remedy: $status",
        async ({ status, ways }) => {
            const { world, net } = await ending(status, "the words of the API");
            const beganAt = world.clock.now();
            const failed = await failure(Peering.create(peering(net.id), world.run()));
            expect(labelsOf(failed)).toEqual(ways);
            expect(world.clock.now() - beganAt).toBeLessThan(minute);
            expect(failed.id).toMatch(/^\d+\/\d+$/);
            expect(failed.state).toMatchObject({ status, errorMessage: "the words of the API" });
            const replace = [{ property: "status", from: status, to: "active" }];
            expect(Peering.plan(failed.state as never, peering(net.id))).toMatchObject({ replace });
        },
    );

    it("a protected one is not replaced by a diff that no check precedes: a refresh, or that of a dependent of what is deleted first", async () => {
        const { world, net } = await ending("failed");
        const { id, state } = await failure(Peering.create(peering(net.id), world.run()));
        const diffOf = (deletionProtection: boolean) =>
            Peering.diff(id, { ...state, deletionProtection } as never, peering(net.id)).plan.replace.length;
        expect([false, true].map(diffOf)).toEqual([1, 0]);
    });

    it("a peering that only an adoption has led to the state is not replaced while the program names it", async () => {
        const { world, net } = await ending("failed");
        const { id } = await failure(Peering.create(peering(net.id), world.run()));
        const adopting = { ...peering(net.id), existingId: id };
        const failed = await failure(Peering.create(adopting, world.run()));
        const text = "delete it at the platform, remove existingId, then `pulumi up`";
        expect(failed).toMatchObject(withWay(again, text));
        expect(Peering.plan(failed.state as never, adopting)).toMatchObject({ replace: [] });
        world.infos.length = 0;
        await Peering.read(id, failed.state as never, world.run());
        expect(world.infos[0]).toContain(`${again}: ${text}`);
    });

    it.each<[string | undefined, string | undefined, "ready" | "failed" | "pending", object?]>([
        ["Active", undefined, "ready"],
        ["active", "no route", "ready"],
        ["REJECTED", "no route", "failed", { reason: "no route. The other side rejected it." }],
        ["Expired", undefined, "failed", { reason: "The other side did not accept it in time." }],
        ["deleting", undefined, "failed", { isDeletion: true }],
        ["Deleted", "no route", "failed", { isDeletion: true }],
        ["FAILED", undefined, "failed", { reason: "It cannot become active." }],
        ["provisioning", "no route", "failed", { reason: "no route. It cannot become active." }],
        [undefined, "no route", "failed"],
        ...["provisioning", "PENDING_ACCEPTANCE", "not rejected", "constructor", undefined].map(
            (status): [string | undefined, undefined, "pending"] => [status, undefined, "pending"],
        ),
    ])("a peering with status %s and error message %s is %s, %j", (status, error_message, phase, more = {}) => {
        const seen = { ...(status !== undefined && { status }), ...(error_message !== undefined && { error_message }) };
        const { observation } = Peering.resource;
        expect(observation.readiness({ ...item, ...seen }, {}, "rest")).toMatchObject({ phase, ...more });
        const [provisioned, inputs] = [
            { ...item, ...seen, provisioned_id: "p" },
            { ...peering("1"), waitFor: "provisioned" },
        ];
        expect(observation.readiness(provisioned, inputs, "rest").phase).toBe(phase === "failed" ? "failed" : "ready");
    });

    it("a peering that can never become active fails each update after an interrupted creation", async () => {
        const { world, net } = await ending("rejected");
        const declared = peering(net.id);
        const first = await failure(Peering.create(declared, world.run()));
        const second = await failure(Peering.update(first.id, first.state as never, declared, world.run()));
        expect(labelsOf(second)).toContain(again);
    });

    it("a refresh reports a peering that can never become active, and keeps it in the state", async () => {
        const { world, id, state } = await active();
        world.emulator.failPeering(state.peeringId, undefined, "expired");
        const seen = await Peering.read(id, state, world.run());
        expect(seen?.state).toMatchObject({ status: "expired" });
        expect(world.infos).toEqual([expect.stringContaining("expired")]);
        expect(world.infos[0]).toContain(
            `${again}: remove existingId, if the program has it; then \`pulumi up\`, which replaces it`,
        );
    });

    it("a `.get` reports it too, but promises no replacement", async () => {
        const { world, id, state } = await active();
        world.emulator.failPeering(state.peeringId, undefined, "expired");
        const onlyRead = { projectId: state.projectId, record: emptyRecord };
        const seen = await Peering.read(id, onlyRead as never, world.run());
        expect(seen?.state).toMatchObject({ status: "expired" });
        expect(world.infos).toEqual([
            expect.stringMatching(/^expired: .* The other side did not accept it in time\.$/),
        ]);
    });

    it("a refresh removes a peering that can never become active once it is being deleted", async () => {
        const { world, id, state } = await active();
        world.emulator.failPeering(state.peeringId, undefined, "DELETING");
        expect(await Peering.read(id, state, world.run())).toBeUndefined();
    });
});

describe.each(hosts)("a peering that never becomes active, on %s", (_, hostIn) => {
    const net = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };
    const office = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
    const start = async (peerings: PeeringFate) => {
        const world = await simulate({ peerings });
        const host = hostIn(world);
        const { outputs } = await host.up("Vpc", net);
        const declared = { ...office, vpcId: outputs.vpcId };
        return { world, host, declared, created: await host.up("Peering", declared) };
    };
    const isReplaced = async ({ world, host, declared }: Awaited<ReturnType<typeof start>>, entry: Entry) => {
        world.emulator.setPeeringFate("immediate");
        world.changes();
        const { lines, operation } = await host.preview("Peering", declared, entry);
        expect(operation).toBe("replace");
        expect(lines).toEqual([
            `is replaced (status "failed" -> "active"): the old peering ${entry.id} is deleted, unless retainOnDelete keeps it`,
            "is deleted before its replacement is created: no route. It cannot become active.",
            expect.stringMatching(/^1/),
        ]);
        expect(world.changes()).toEqual([]);
        const replaced = await host.up("Peering", declared, entry);
        expect(world.changes().map((line) => line.split(" ")[0])).toEqual(["deletePeering", "createPeering"]);
        expect(replaced.outputs).toMatchObject({ status: "active" });
        expect(world.emulator.snapshot().peerings).toHaveLength(1);
    };

    it("is replaced after its creation has failed, and its preview says why", async () => {
        const parts = await start({ fail: "no route" });
        expect(parts.created.error).toBeDefined();
        await isReplaced(parts, parts.created.entry);
    });

    it("is replaced once a refresh has found that it has failed", async () => {
        const parts = await start("immediate");
        const { world, host, declared, created } = parts;
        world.emulator.failPeering(String(created.outputs.peeringId), "no route");
        expect((await host.preview("Peering", declared, created.entry)).operation).toBe("same");
        await isReplaced(parts, await host.refresh("Peering", created.entry));
    });

    it.each([false, true])(
        "is replaced after its adoption as the message says, at an API that accepts only one (refreshed: %s)",
        async (isRefreshed) => {
            const { world, host, declared, created } = await start("immediate");
            const peeringId = String(created.outputs.peeringId);
            world.emulator.failPeering(peeringId, undefined, "rejected");
            const conflict = respond(409, '{"code":"CONFLICT","message":"a peering exists"}');
            world.fault.at("createPeering", (exchange, carryOut) =>
                world.emulator.snapshot().peerings.length > 0 ? conflict(exchange, carryOut) : carryOut(),
            );
            const adopted = await host.up("Peering", { ...declared, existingId: created.entry.id });
            expect(adopted.error).toMatchObject(
                withWay("Create a new one", expect.stringMatching(/^delete it at the platform/)),
            );
            const entry = isRefreshed ? await host.refresh("Peering", adopted.entry) : adopted.entry;
            world.emulator.deletePeering(peeringId);
            const { outputs } = await host.up("Peering", declared, entry);
            expect(outputs).toMatchObject({ status: "active" });
            expect(world.emulator.snapshot().peerings).toHaveLength(1);
        },
    );

    it("is replaced after a refresh as the message says, if a run has completed its adoption", async () => {
        const { world, host, declared, created } = await start("immediate");
        const adopted = await host.up("Peering", { ...declared, existingId: created.entry.id });
        world.emulator.failPeering(String(created.outputs.peeringId), "no route");
        await isReplaced({ world, host, declared, created }, await host.refresh("Peering", adopted.entry));
    });

    it("is not replaced while its entry is protected", async () => {
        const { host, declared, created } = await start({ fail: "no route" });
        const entry = { ...created.entry, outputs: { ...created.entry.outputs, deletionProtection: true } };
        await expect(host.preview("Peering", declared, entry)).rejects.toMatchObject(withWay("Replace it"));
    });
});

test("a peering that waits for acceptance stays pending", async () => {
    const world = await simulate({ peerings: "acceptance" });
    const net = await Vpc.create(network, world.run());
    const failed = await failure(Peering.create(peering(net.id), world.run({ timeMs: 10 * minute })));
    expect(failed.message).toContain("timed out after 10 min: pending acceptance");
});
