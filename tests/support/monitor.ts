import { promisify } from "node:util";
import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
    RegisterResourceResponse,
    Result,
    SupportsFeatureResponse,
    type RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { pack } from "../../provider/hosts/native/values";
import { atEnd } from "./atEnd";

/**
 * The outputs of a resource in the encoding of Pulumi; "refused" for a registration that fails, "failed" for a resource
 * whose operation fails while the run continues, "ended" for a run that takes no more registrations, and "never" for a
 * registration without an answer.
 */
type Outcome = Record<string, unknown> | "refused" | "failed" | "ended" | "never";

/** The part of the engine with which a component registers its resources. It stops after the tests of the file. */
export async function startMonitor(outcomeOf: (name: string, type: string) => Outcome = () => ({})) {
    const registered: RegisterResourceRequest[] = [];
    const server = new Server();
    atEnd(() => server.forceShutdown());
    server.addService(ResourceMonitorService, {
        supportsFeature: (_: unknown, answer: sendUnaryData<SupportsFeatureResponse>) =>
            answer(null, new SupportsFeatureResponse().setHassupport(true)),
        registerResource: (
            { request }: ServerUnaryCall<RegisterResourceRequest, RegisterResourceResponse>,
            answer: sendUnaryData<RegisterResourceResponse>,
        ) => {
            registered.push(request);
            const outcome = request.getCustom() ? outcomeOf(request.getName(), request.getType()) : {};
            const urn = `urn:pulumi:dev::shop::${request.getType()}::${request.getName()}`;
            const response = new RegisterResourceResponse().setUrn(urn);
            if (outcome === "refused" || outcome === "ended") {
                answer({ code: outcome === "ended" ? status.UNAVAILABLE : status.INTERNAL, details: outcome });
            } else if (outcome === "failed") {
                answer(null, response.setResult(Result.FAIL));
            } else if (outcome !== "never") {
                answer(null, response.setId("an-id").setObject(pack(outcome)));
            }
        },
        registerResourceOutputs: (_: unknown, answer: sendUnaryData<Empty>) => answer(null, new Empty()),
    });
    return { address: await addressOf(server), registered };
}

/** Starts a server of the gRPC library. */
export async function addressOf(server: Server): Promise<string> {
    const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
    return `127.0.0.1:${port}`;
}
