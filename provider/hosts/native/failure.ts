import { Metadata, status as grpcStatus, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { messageOf } from "../../api/callErrors";
import { PartialFailure } from "../../lifecycle/errors";

/** The gRPC error for a failed call. The engine stores the id and the properties of a resource that exists nevertheless. */
export function serviceError(error: unknown): Partial<ServiceError> {
    const message = messageOf(error);
    const code = grpcStatus.UNKNOWN;
    if (!(error instanceof PartialFailure)) {
        return { code, details: message };
    }
    const { id, properties } = error as PartialFailure & { readonly properties: Struct };
    const detail = new ErrorResourceInitFailed().setId(id).setProperties(properties).setReasonsList([message]);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(code).setMessage(message);
    status.addDetails(packed);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return { code, details: message, metadata };
}
