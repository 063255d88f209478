import { createServer, type AddressInfo, type Server } from "node:net";
import { Service } from "../../sdk/nodejs";
import { startStack } from "../support/engine";

// What only the engine shows: whether the lines of the provider reach it.

let proxy: Server;
let connections = 0;

beforeAll(async () => {
    proxy = createServer((socket) => {
        connections += 1;
        socket.on("error", () => undefined).destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => proxy.close(resolve)));

test("a proxy for every host hides no line of the provider, and gets no request to this computer", async () => {
    const stack = await startStack();
    await stack.up(() => {
        new Service("orders");
    });
    const { port } = proxy.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    stack.env({ https_proxy: url, http_proxy: url, grpc_proxy: url, no_proxy: "", NO_PROXY: "", no_grpc_proxy: "" });
    // A program in Node.js would fail, because Pulumi's SDK uses the proxy.
    const { statusLines } = await stack.destroy();
    expect(statusLines.orders).toContainEqual(expect.stringContaining("deleting"));
    expect(connections).toBe(0);
});
