import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { systemClock } from "../provider/api/clock";
import { connectEngine, engineAddress, onSignal, shutdownMs } from "../provider/hosts/engine";
import schema from "../provider/hosts/native/schema.gen.json";
import { NativeServer, type Construct } from "../provider/hosts/native/server";

/** Far above the largest state of a resource. */
const maxMessageBytes = 400 * 1024 * 1024;

/**
 * When the engine has exited, requests in flight have this long to end. After a signal, responses have this long to
 * leave the process.
 */
const exitDelayMs = 500;

const address = engineAddress();

const exit = () => process.exit(0);

const connect = (to: string | undefined) => {
    const engine = connectEngine(to, systemClock, () => credentials.createInsecure());
    if (address !== undefined) {
        engine.runEnded.addEventListener("abort", () => {
            void plugin.close();
            setTimeout(exit, exitDelayMs);
        });
    }
    return engine;
};
/** Loads the SDK only for the first component, because it would delay the start of each run. */
const construct: Construct = async (...args) => (await import("./construct.js")).construct(...args);
const plugin = new NativeServer(JSON.stringify(schema), connect, construct, address);
const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
});
onSignal(() => {
    setTimeout(exit, shutdownMs);
    void plugin.close().then(() => {
        // A response leaves the process after its call has ended.
        server.tryShutdown(exit);
        setTimeout(exit, exitDelayMs);
    });
});
server.addService(ResourceProviderService, plugin.handlers());
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) {
        throw error;
    }
    // The engine reads the port from the first line.
    console.log(port);
});
