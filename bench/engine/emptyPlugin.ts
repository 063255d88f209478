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
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

// The plugin with which the benchmark compares the native plugin: it does nothing. It returns the inputs of each resource
// and as many outputs and secrets as a service has, in previews as unknown values, because the work of Pulumi itself grows
// with their number.

const secret = (value: string) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value });
const host = "abcdefghij.emulator01.db.example.com";
const outputs: Record<string, JavaScriptValue> = {
    projectId: "emulator01",
    addons: null,
    replicaCount: 0,
    syncReplicaCount: 0,
    vpcId: null,
    fork: null,
    paused: false,
    connectionPooler: false,
    deletionProtection: null,
    status: "READY",
    serviceType: "POSTGRES",
    created: "2026-01-01T00:00:00Z",
    host,
    port: 5432,
    poolerHost: null,
    poolerPort: null,
    vpcHost: null,
    vpcPort: null,
    forkedFrom: null,
    serviceId: "abcdefghij",
    password: secret("0123456789abcdef"),
    initialPassword: secret("0123456789abcdef"),
    connectionString: secret(`postgres://admin:0@${host}:5432/db`),
};

function unary<Request, Response>(respond: (request: Request) => Response): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => callback(null, respond(request));
}

const unknowns = Object.fromEntries(Object.keys(outputs).map((name) => [name, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"]));
const withOutputs = (inputs: Struct | undefined, values: typeof outputs) =>
    Struct.fromJavaScript({ ...inputs?.toJavaScript(), ...values });
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
        request.getPreview()
            ? new CreateResponse().setProperties(withOutputs(request.getProperties(), unknowns))
            : new CreateResponse().setId("nothing").setProperties(withOutputs(request.getProperties(), outputs)),
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
