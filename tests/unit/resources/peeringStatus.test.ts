import { lifecycles } from "../../support/lifecycles";
import { meaningOf } from "../../../provider/resources/peeringStatus";
import { activation, failure, network, peering } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { Peering, PeeringActivation, Vpc } = lifecycles;
const minute = 60_000;

describe("the meaning of a peering status", () => {
    it.each(["active", "ACTIVE", "Active", "peering-active", "PEERING_ACTIVE", "status: active"])(
        "a peering with %s is active",
        (status) => {
            expect(meaningOf(status)).toBe("active");
        },
    );

    it.each([
        ["rejected", "rejected"],
        ["REJECTED", "rejected"],
        ["PEERING_REJECTED", "rejected"],
        ["peering-rejected", "rejected"],
        ["PeeringRejected", "rejected"],
        ["peeringrejected", "rejected"],
        ["rejected_by_peer", "rejected"],
        ["Declined", "rejected"],
        ["expired", "expired"],
        ["request expired", "expired"],
        ["VPC_PEERING_EXPIRED", "expired"],
        ["deleted", "deleted"],
        ["Deleting", "deleted"],
        ["deleted-by-peer", "deleted"],
        ["failed", "failed"],
        ["acceptance_failed", "failed"],
        ["FAILED: no route", "failed"],
        ["failed, as the peer could not be reached", "failed"],
        ["error", "failed"],
    ])("a peering with %s is %s permanently", (status, meaning) => {
        expect(meaningOf(status)).toBe(meaning);
    });

    it.each([
        "pending-acceptance",
        "PENDING_ACCEPTANCE",
        "pending acceptance",
        "provisioning",
        "initiating-request",
        "inactive",
        "not active",
        "not-rejected",
        "retrying after failed attempt",
        "activating",
        "unfailed",
        "failed, retrying",
        "constructor",
        "",
    ])("a peering with %s is pending", (status) => {
        expect(meaningOf(status)).toBeUndefined();
    });
});

describe("peerings that can never become active", () => {
    const again = "\nCreate a new one: `pulumi up`, which replaces it";

    /** A peering that gets this status during the wait. */
    async function ending(status: string, message?: string) {
        const world = await simulate({ peerings: "acceptance" });
        const net = await Vpc.create(network, world.run());
        world.emulator.addFaults([
            { operation: "createPeering", effect: { kind: "peeringFails", status, ...(message && { message }) } },
        ]);
        return { world, net };
    }

    it.each([
        { status: "PEERING_REJECTED", says: `${again}\nThen: ask the owner of account 123 to accept it` },
        { status: "expired", says: `did not accept it in time.${again}` },
        { status: "Deleted", says: again },
        { status: "failed", says: `\nCorrect: the account, region or VPC of the other side in the program${again}` },
    ])(
        "the creation of a peering that can never become active fails at once with the message of the API and a remedy: $status",
        async ({ status, says }) => {
            const { world, net } = await ending(status, "the words of the API");
            const beganAt = world.clock.now();
            const failed = await failure(Peering.create(peering(net.id), world.run()));
            expect(failed.message).toContain(`(${status}): the words of the API. `);
            expect(failed.message).toContain(says);
            expect(world.clock.now() - beganAt).toBeLessThan(minute);
            expect(failed.state).toMatchObject({ status });
            const replace = [{ property: "status", from: status, to: "active" }];
            expect(Peering.plan(failed.state as never, peering(net.id))).toMatchObject({ replace });
        },
    );

    it("a peering that only an adoption has led to the state is not replaced while the program names it", async () => {
        const { world, net } = await ending("failed");
        const { id } = await failure(Peering.create(peering(net.id), world.run()));
        const adopting = { ...peering(net.id), existingId: id };
        const failed = await failure(Peering.create(adopting, world.run()));
        expect(failed.message).toContain("\nCreate a new one: remove existingId; then `pulumi up`, which replaces it");
        expect(Peering.plan(failed.state as never, adopting)).toMatchObject({ replace: [] });
    });

    it.each(["active", "PENDING_ACCEPTANCE", undefined])("a peering with status %s is not replaced", async (status) => {
        const world = await simulate({ peerings: "immediate" });
        const net = await Vpc.create(network, world.run());
        const { state } = await Peering.create(peering(net.id), world.run());
        const replace: unknown[] = [];
        expect(Peering.plan({ ...state, status }, peering(net.id))).toMatchObject({ replace });
    });

    it("the creation of a peering that can never become active fails even without a message of the API, and even if it waits only for provisioning", () => {
        const item = { id: "1", peer_account_id: "123", peer_region_code: "r", peer_vpc_id: "v", provisioned_id: "p" };
        const declared = { ...peering("1"), waitFor: "provisioned" as const };
        const outcome = Peering.resource.observation.readiness({ ...item, status: "REJECTED" }, declared, "rest");
        expect(outcome).toMatchObject({
            kind: "failed",
            reason: expect.stringMatching(/^The other side rejected/) as string,
        });
    });

    it("a peering that can never become active ends the wait of its activation", async () => {
        const world = await simulate({ peerings: "acceptance" });
        const net = await Vpc.create(network, world.run());
        const made = await Peering.create({ ...peering(net.id), waitFor: "provisioned" }, world.run());
        world.emulator.failPeering(made.state.peeringId, "no", "rejected");
        const beganAt = world.clock.now();
        const work = failure(PeeringActivation.create(activation(net.id, made.state.peeringId), world.run()));
        expect((await work).message).toMatch(
            /\(rejected\): no\. .*\nCreate a new one: `pulumi up --refresh`, which replaces the peering/,
        );
        expect(world.clock.now() - beganAt).toBeLessThan(minute);
    });

    it("a peering that can never become active fails each update after an interrupted creation", async () => {
        const { world, net } = await ending("rejected");
        const declared = peering(net.id);
        const first = await failure(Peering.create(declared, world.run()));
        const second = await failure(Peering.update(first.id, first.state as never, declared, world.run()));
        expect(second.message).toContain(again);
    });

    it("a refresh reports a peering that can never become active, and keeps it in the state", async () => {
        const world = await simulate({ peerings: "immediate" });
        const net = await Vpc.create(network, world.run());
        const { id, state } = await Peering.create(peering(net.id), world.run());
        world.emulator.failPeering(state.peeringId, undefined, "expired");
        const seen = await Peering.read(id, state, world.run());
        expect(seen?.state).toMatchObject({ status: "expired" });
        expect(world.infos.join("\n")).toMatch(/^expired: .*did not accept it in time/m);
    });

    it("a refresh removes a peering that can never become active once it is being deleted", async () => {
        const world = await simulate({ peerings: "immediate" });
        const net = await Vpc.create(network, world.run());
        const { id, state } = await Peering.create(peering(net.id), world.run());
        world.emulator.failPeering(state.peeringId, undefined, "DELETING");
        expect(await Peering.read(id, state, world.run())).toBeUndefined();
    });

    it("a rejected peering can be replaced", async () => {
        const { world, net } = await ending("rejected");
        const first = await failure(Peering.create(peering(net.id), world.run()));
        world.emulator.setPeeringFate("immediate");
        const second = await Peering.create(peering(net.id), world.run());
        expect(second.id).not.toBe(first.id);
        expect(second.state).toMatchObject({ status: "active" });
    });
});

test("a peering that waits for acceptance stays pending", async () => {
    const world = await simulate({ peerings: "acceptance" });
    const net = await Vpc.create(network, world.run());
    const failed = await failure(Peering.create(peering(net.id), world.run({ timeMs: 10 * minute })));
    expect(failed.message).toContain("timed out after 10 min: pending acceptance");
});
