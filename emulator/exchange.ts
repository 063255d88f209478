import type { OperationId } from "./wire";

/** A request, with or without a socket. */
export interface EmulatorRequest {
    method: string;
    /** The path from the root, with the query, for example `/v1/projects`. */
    path: string;
    /** The headers. Names are case-insensitive. */
    headers?: Readonly<Record<string, string>>;
    body?: string;
}

/** A response, with or without a socket. */
export interface EmulatorResponse {
    status: number;
    /** The headers. Names are in lower case. */
    headers: Record<string, string>;
    body: string;
}

/** A request before it is carried out. */
export interface Exchange {
    operationId: OperationId;
    request: EmulatorRequest;
    /** The value of the header `X-Request-Id`, or a generated id. */
    requestId: string;
    /** The time of the request in milliseconds since 1970 by the emulator's clock. */
    at: number;
    /** Notes a fault that hits the request in the journal. */
    noteFault: (fault: string) => void;
}

/** A response with this JSON, or without a body. */
export const jsonResponse = (status: number, body: unknown): EmulatorResponse =>
    body === undefined
        ? { status, headers: {}, body: "" }
        : { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
