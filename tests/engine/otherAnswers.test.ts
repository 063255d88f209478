import { Service } from "../../sdk/nodejs";
import { failureOf } from "../support/client";
import { RunFailed, startStack } from "../support/engine";

test("an address that redirects fails at once, with the address to which it redirects", async () => {
    const target = "https://api.example.com/v2/projects/emulator01/services";
    let requests = 0;
    const stack = await startStack({
        intercept: () => {
            requests += 1;
            return Promise.resolve({ status: 301, headers: { location: `${target}?state=s3cret` }, body: "" });
        },
    });
    const beganAt = Date.now();
    const { run } = await failureOf(
        stack.up(() => new Service("orders", { regionCode: "us-east-1" }), { refresh: false }),
        RunFailed,
    );
    expect(requests).toBe(1);
    expect(run.output).toContain(`a redirect to ${target}.`);
    expect(run.output).toContain("Address: check that CLOUDDB_BASE_URL points to the management API");
    expect(stack.printed()).not.toContain("s3cret");
    // The engine and the program take most of it.
    expect(Date.now() - beganAt).toBeLessThan(60_000);
    expect(await stack.entries("orders")).toEqual([]);
});
