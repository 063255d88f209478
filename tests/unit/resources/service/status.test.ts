import { mustBeRunning, readiness } from "../../../../provider/resources/service/status";

const statusOf = (status: string) => ({ status }) as never;

test("a status that no version of the contract has is in progress, and the line says that it is not known", () => {
    expect(readiness(statusOf("HIBERNATING"))).toMatchObject({ phase: "pending", detail: "unknown status" });
});

test("a paused service that another resource needs does not become ready, and has to be started", () => {
    const outcome = mustBeRunning.accepts(statusOf("PAUSED"));
    expect(outcome).toMatchObject({ phase: "failed", ways: [{ text: expect.stringContaining("start it") as string }] });
});
