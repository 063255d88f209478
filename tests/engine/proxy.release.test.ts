import { Service } from "../../sdk/nodejs";
import { startStack } from "../support/engine";
import { serve } from "../support/loopback";

// What only the engine shows: whether the lines of the provider reach it.

test("a proxy for every host hides no line of the provider, and gets no request to this computer", async () => {
    const proxy = await serve((response) => response.destroy());
    const stack = await startStack();
    await stack.up(() => {
        new Service("orders");
    });
    const url = `http://${proxy.host}`;
    stack.env({ https_proxy: url, http_proxy: url, grpc_proxy: url, no_proxy: "", NO_PROXY: "", no_grpc_proxy: "" });
    // A program in Node.js would fail, because Pulumi's SDK uses the proxy.
    const { statusLines } = await stack.destroy();
    expect(statusLines.orders).toContainEqual(expect.stringContaining("deleting"));
    expect(proxy.connections()).toBe(0);
});
