import { meaningOf } from "../../../provider/resources/peeringStatus";

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
