/** An answer that refuses a request, in the error shape of the contract. */
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

const refusal = (status: number, code: string) => (message: string) => new ApiError(status, code, message);

export const invalid = refusal(400, "INVALID_REQUEST");
export const forbidden = refusal(403, "FORBIDDEN");
export const notFound = refusal(404, "NOT_FOUND");
export const conflict = refusal(409, "CONFLICT");
export const tooLarge = refusal(413, "BODY_TOO_LARGE");
export const unsupportedMediaType = refusal(415, "UNSUPPORTED_MEDIA_TYPE");
export const internal = refusal(500, "INTERNAL");

export const unauthenticated = (message: string): ApiError =>
    new ApiError(401, "UNAUTHENTICATED", message, {
        "www-authenticate": 'Bearer realm="clouddb-emulator", Basic realm="clouddb-emulator"',
    });

export const methodNotAllowed = (message: string, allowed: readonly string[]): ApiError =>
    new ApiError(405, "METHOD_NOT_ALLOWED", message, { allow: allowed.join(", ") });

/** A part of an answer, which was announced as longer. */
export interface PartialAnswer {
    status: number;
    headers: Readonly<Record<string, string>>;
    body: string;
    /** The length of the whole body. */
    length: number;
}

/** In place of an answer: the connection breaks. Without a socket it is the error that a client would see. */
export class ConnectionReset extends Error {
    override readonly name = "ConnectionReset";
    readonly code = "ECONNRESET";

    constructor(
        /** What is sent before it breaks. */
        readonly sent?: PartialAnswer,
    ) {
        super("The emulator broke the connection as it was told to.");
    }
}

/** What kept the emulator from starting. */
export type StartFailure =
    | "invalid-option"
    | "port-in-use"
    | "port-unavailable"
    | "state-locked"
    | "state-unusable"
    | "postgres-missing"
    | "postgres-failed";

/** Why the emulator did not start; the message is one line and says what to do. */
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
