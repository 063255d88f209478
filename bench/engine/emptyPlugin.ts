import { Server, ServerCredentials, type handleUnaryCall } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
    CheckResponse,
    ConfigureResponse,
    CreateResponse,
    DiffResponse,
    type CheckRequest,
    type CreateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

// The plugin with which the benchmark compares the native plugin: it returns the inputs of each resource and does nothing.

function unary<Request, Response>(respond: (request: Request) => Response): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => callback(null, respond(request));
}

const checked = (request: CheckRequest) => new CheckResponse().setInputs(request.getNews());
const configured = () => new ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
const unchanged = () => new DiffResponse().setChanges(DiffResponse.DiffChanges.DIFF_NONE);

const server = new Server();
server.addService(ResourceProviderService, {
    getPluginInfo: unary(() => new PluginInfo().setVersion("0.0.1")),
    checkConfig: unary(checked),
    diffConfig: unary(unchanged),
    configure: unary(configured),
    check: unary(checked),
    diff: unary(unchanged),
    create: unary((request: CreateRequest) =>
        new CreateResponse().setId(request.getPreview() ? "" : "nothing").setProperties(request.getProperties()),
    ),
    cancel: unary(() => new Empty()),
});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) {
        throw error;
    }
    console.log(port);
});
process.on("SIGTERM", () => process.exit(0));
