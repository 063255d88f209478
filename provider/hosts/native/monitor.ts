import { credentials, status, type ClientUnaryCall, type ServiceError } from "@grpc/grpc-js";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
    RegisterResourceOutputsRequest,
    type RegisterResourceRequest,
    type RegisterResourceResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

type Answer<Response> = (error: ServiceError | null, response: Response) => void;

const runEnded = "The run ended before all resources of the component were complete.";

/** The part of the engine with which a program registers its resources. */
export class Monitor {
    private readonly client: ResourceMonitorClient;

    /**
     * The engine does not answer the registration of a resource that failed. It aborts the signal instead, so that all
     * registrations fail.
     */
    constructor(
        address: string,
        private readonly signal: AbortSignal,
    ) {
        this.client = new ResourceMonitorClient(address, credentials.createInsecure());
    }

    /** Registers a resource. Resolves when its operation has ended. */
    register(request: RegisterResourceRequest): Promise<RegisterResourceResponse> {
        return this.unlessEnded((answer) => this.client.registerResource(request, answer));
    }

    /** Stores the outputs of a component. */
    async registerOutputs(urn: string, outputs: Struct): Promise<void> {
        const request = new RegisterResourceOutputsRequest().setUrn(urn).setOutputs(outputs);
        await this.unlessEnded((answer) => this.client.registerResourceOutputs(request, answer));
    }

    close(): void {
        this.client.close();
    }

    private unlessEnded<Response>(send: (answer: Answer<Response>) => ClientUnaryCall): Promise<Response> {
        return new Promise((resolve, reject) => {
            const end = () => {
                call.cancel();
                reject(new Error(runEnded));
            };
            const call = send((error, response) => {
                this.signal.removeEventListener("abort", end);
                if (error === null) {
                    resolve(response);
                } else {
                    reject(error.code === status.UNAVAILABLE ? new Error(runEnded, { cause: error }) : error);
                }
            });
            this.signal.addEventListener("abort", end);
            if (this.signal.aborted) {
                end();
            }
        });
    }
}
