import { credentials, type ClientUnaryCall, type ServiceError } from "@grpc/grpc-js";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
    RegisterResourceOutputsRequest,
    type RegisterResourceRequest,
    type RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

type Answer<Response> = (error: ServiceError | null, response: Response) => void;

/** The part of the engine with which a program registers its resources. */
export class Monitor {
    private readonly client: ResourceMonitorClient;

    /** All registrations fail when the signal is aborted: the engine does not answer that of a resource that failed. */
    constructor(
        address: string,
        private readonly signal: AbortSignal,
    ) {
        this.client = new ResourceMonitorClient(address, credentials.createInsecure());
    }

    /** Registers a resource. Resolves when it exists. */
    register(request: RegisterResourceRequest): Promise<RegisterResourceResponse> {
        return this.unlessCancelled((answer) => this.client.registerResource(request, answer));
    }

    /** Stores the outputs of a component. */
    async registerOutputs(urn: string, outputs: Struct): Promise<void> {
        const request = new RegisterResourceOutputsRequest().setUrn(urn).setOutputs(outputs);
        await this.unlessCancelled((answer) => this.client.registerResourceOutputs(request, answer));
    }

    close(): void {
        this.client.close();
    }

    private async unlessCancelled<Response>(send: (answer: Answer<Response>) => ClientUnaryCall): Promise<Response> {
        this.signal.throwIfAborted();
        let onAbort: () => void = () => undefined;
        try {
            return await new Promise((resolve, reject) => {
                const call = send((error, response) => {
                    if (error === null) {
                        resolve(response);
                    } else {
                        reject(error);
                    }
                });
                onAbort = () => {
                    reject(this.signal.reason as Error);
                    call.cancel();
                };
                this.signal.addEventListener("abort", onAbort);
            });
        } finally {
            this.signal.removeEventListener("abort", onAbort);
        }
    }
}
