import type { HeldAtCreation, State, StepOf } from "../../../provider/model/resource";
import { isDisruptive, isSameCall, lineOf, updateLine } from "../../../provider/model/step";
import type { ServiceHeld } from "../../../provider/resources/service/outputs";
import type { ServiceKind } from "../../../provider/resources/service/plan";

type ServiceStep = StepOf<ServiceKind>;

// Each of these lines is an error of the compiler, which `npm run check` requires.
it("a value that the state does not store cannot be declared by a step, a creation or a plan", () => {
    const step: ServiceStep = {
        call: { operation: "updatePassword" },
        title: "set the password",
        // @ts-expect-error The kind does not declare that it holds this.
        affects: { passwordLost: true },
    };
    const unread: ServiceStep = {
        call: { operation: "updatePassword" },
        title: "set the password",
        // @ts-expect-error No read shows the password, so it cannot prove an effect.
        sets: { password: "long-enough" },
    };
    const records: HeldAtCreation<ServiceHeld> = {
        // @ts-expect-error The kind does not declare that it holds this.
        held: { passwordLost: true },
        // @ts-expect-error The kind does not declare that it holds this.
        uncertain: ["passwordLost"],
    };
    // @ts-expect-error No state has this.
    const plan = (state: State<ServiceKind>) => Boolean(state.passwordLost);
    expect([step, unread, records, plan]).toHaveLength(4);
});

describe("the line of a step", () => {
    const call = { operation: "resizeService", body: { cpu_millis: "1000", memory_gbs: "4" } } as const;

    it("has the note after the title, then the disruption, and in an update the duration", () => {
        const step = { call, title: "resize", note: "because", disruption: "restarts the service" } as const;
        expect(lineOf(step)).toBe("resize, because, restarts the service");
        expect(updateLine(step)).toBe("resize, because, restarts the service, done in minutes");
        expect(isDisruptive(lineOf(step))).toBe(true);
        expect(isDisruptive(updateLine(step))).toBe(true);
    });

    it("does not become disruptive by a name or a file with these words", () => {
        const rename = { operation: "renameService", body: { name: "b" } } as const;
        expect(isDisruptive(updateLine({ call: rename, title: 'rename "a" -> "b, connections end"' }))).toBe(false);
    });
});

test("two requests are the same if operation and body are", () => {
    const one = { operation: "renameService", body: { name: "a" } } as const;
    expect(isSameCall(one, { operation: "renameService", body: { name: "a" } })).toBe(true);
    expect(isSameCall(one, { operation: "renameService", body: { name: "b" } })).toBe(false);
    expect(isSameCall(one, { operation: "renameVpc", body: { name: "a" } })).toBe(false);
});
