import { setTimeout as after } from "node:timers/promises";

test("a call that the end of the engine interrupts does not fail the test", async () => {
    void Promise.reject(Object.assign(new Error("Resource monitor is terminating"), { code: 14 }));
    await after(0);
});
