import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { onCancel } from "../../../../provider/hosts/dynamic/cancellation";

it("Cancel calls back, also on a server that Pulumi's host has started, and no other request does", async () => {
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const cancel = jest.fn();
    onCancel(cancel);
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const callsAfter = async (method: string) => {
        await once(client.request({ ":path": `/pulumirpc.ResourceProvider/${method}` }).resume(), "close");
        return cancel.mock.calls.length;
    };
    expect([await callsAfter("Configure"), await callsAfter("Cancel"), await callsAfter("Delete")]).toEqual([0, 1, 1]);
    client.close();
    server.close();
});
