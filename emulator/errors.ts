import type { EmulatorResponse } from "./exchange";

/** An error response in the format of the contract. */
export class ApiError extends Error {
    override readonly name = "ApiError";

    constructor(
        readonly status: number,
        readonly code: string,
        message: string,
        readonly headers: Readonly<Record<string, string>> = {},
    ) {
        super(message);
    }
}

const errorResponse = (status: number, code: string) => (message: string) => new ApiError(status, code, message);

export const invalid = errorResponse(400, "INVALID_REQUEST");
export const forbidden = errorResponse(403, "FORBIDDEN");
export const notFound = errorResponse(404, "NOT_FOUND");
export const conflict = errorResponse(409, "CONFLICT");
export const tooLarge = errorResponse(413, "BODY_TOO_LARGE");
export const unsupportedMediaType = errorResponse(415, "UNSUPPORTED_MEDIA_TYPE");
export const unsaved = errorResponse(507, "STATE_NOT_SAVED");
export const internal = errorResponse(500, "INTERNAL");

export const unauthenticated = (message: string): ApiError =>
    new ApiError(401, "UNAUTHENTICATED", message, {
        "www-authenticate": 'Bearer realm="clouddb-emulator", Basic realm="clouddb-emulator"',
    });

export const methodNotAllowed = (path: string, allowed: readonly string[]): ApiError =>
    new ApiError(405, "METHOD_NOT_ALLOWED", `${path} supports only ${allowed.join(" and ")}.`, {
        allow: allowed.join(", "),
    });

/** A part of a response. Its headers announce the full length in bytes. */
export type PartialAnswer = EmulatorResponse & { readonly length: number };

/** A broken connection instead of a response. Without a socket, it is the error that a client would see. */
export class ConnectionReset extends Error {
    override readonly name = "ConnectionReset";
    readonly code = "ECONNRESET";

    constructor(
        /** The part of the response that is sent before the connection breaks. */
        readonly sent?: PartialAnswer,
    ) {
        super("The emulator broke the connection because of a fault.");
    }
}

/** Why the emulator failed to start. */
export type StartFailure =
    | "invalid-option"
    | "port-in-use"
    | "port-unavailable"
    | "state-locked"
    | "state-unusable"
    | "postgres-missing"
    | "postgres-failed";

/** The emulator failed to start. The message is one line and contains the remedy. */
export class EmulatorStartError extends Error {
    override readonly name = "EmulatorStartError";

    constructor(
        readonly failure: StartFailure,
        message: string,
        options?: { cause?: unknown },
    ) {
        super(message, options);
    }
}
