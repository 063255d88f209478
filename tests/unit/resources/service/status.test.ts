import { isCreating, isDeleting, wasAtRest, type Outcome } from "../../../../provider/model/outcome";
import { mustBeRunning, readiness } from "../../../../provider/resources/service/status";

const statusOf = (status: string) => ({ status }) as never;

test("a status that no version of the contract has is in progress, and the line says that it is not known", () => {
    expect(readiness(statusOf("HIBERNATING"))).toMatchObject({ phase: "pending", detail: "unknown status" });
});

test.each(["FAILED", "ERROR"])("a service with status %s is not at rest, being created or being deleted", (status) => {
    const observing = { observation: { readiness: readiness as (item: unknown) => Outcome } };
    const state = { status };
    expect([wasAtRest, isCreating, isDeleting].map((is) => is(observing, state))).toEqual([false, false, false]);
});

test("a paused service that another resource needs does not become ready, and has to be started", () => {
    const outcome = mustBeRunning.accepts(statusOf("PAUSED"));
    expect(outcome).toMatchObject({ phase: "failed", ways: [{ text: expect.stringContaining("start it") as string }] });
});
