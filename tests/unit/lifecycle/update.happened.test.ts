import { CancelledError } from "../../../provider/hosts/engine";
import { messageOf } from "../../../provider/api/callErrors";
import type { PartialFailure } from "../../../provider/lifecycle/errors";
import type { Context } from "../../../provider/model/context";
import { lifecycles } from "../../support/lifecycles";
import { linesOf, service } from "../../support/fixtures";
import { simulateConcurrently } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;
const minute = 60_000;
const old = service({ password: "old-password" });
const changed = service({ password: "new-password" });

describe("a password that was not set because the API limits the rate of requests", () => {
    it.each(["updatePassword#1+:429", "updatePassword#1+:429,retryAfterMs=3600000"])(
        "is not in force, so that a revert sends nothing: %s",
        async (fault) => {
            const { world, fails, lines, update } = await withService(old);
            world.emulator.addFaults([fault]);
            const failed = await fails(changed, { timeMs: minute });
            expect(failed.state).toMatchObject({ password: "old-password" });
            expect(lines(old, failed.state)).toEqual([]);
            world.emulator.clearFaults();
            await update(old, { from: failed.state });
            expect(world.changes()).toEqual([]);
        },
    );

    it("may be in force if the response to an earlier request was lost", async () => {
        const { world, fails, lines } = await withService(old);
        world.emulator.addFaults(["updatePassword#1:reset-after", "updatePassword#2+:429"]);
        const failed = await fails(changed, { timeMs: minute });
        expect(lines(old, failed.state)).toHaveLength(1);
    });
});

/** What a run that is cancelled after 7 s leaves. */
async function cancelled(
    fault: string,
    change: (parts: { id: string; state: never; context: Context }) => Promise<unknown>,
) {
    const { clock, emulator, provider } = await simulateConcurrently();
    const { id, state } = await Service.create(old, provider.run());
    emulator.addFaults([fault]);
    const cancellation = new AbortController();
    clock.after(7_000, () => cancellation.abort(new CancelledError()));
    const context = { ...provider.run(), signal: cancellation.signal };
    return change({ id, state: state as never, context }).catch((error: unknown) => error);
}

it.each([
    ["429,retryAfterMs=200000", false],
    ["unanswered", true],
    ["reset-after", true],
])("a creation that is cancelled may exist unless no request of it was carried out: %s", async (effect, mayExist) => {
    const error = await cancelled(`createService#1:${effect}`, ({ context }) =>
        Service.create(service({ name: "second" }), context),
    );
    expect(messageOf(error).includes("may exist")).toBe(mayExist);
});

it.each([
    ["429,retryAfterMs=200000", 0],
    ["unanswered", 1],
])("a password whose update is cancelled may be in force unless it was not sent: %s", async (effect, steps) => {
    const error = await cancelled(`updatePassword#1:${effect}`, ({ id, state, context }) =>
        Service.update(id, state, changed, context),
    );
    const { state } = error as PartialFailure;
    expect(linesOf(Service.plan(state as never, old))).toHaveLength(steps);
});
