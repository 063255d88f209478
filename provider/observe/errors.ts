import { CloudDbError } from "../api/errors";
import { formatDuration } from "./duration";

/** A wait timed out. The operation continues on the server and is not rolled back. */
export class WaitTimeoutError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly lastStatus: string,
        readonly inStatusMs: number,
        readonly waitedMs: number,
        /** The setting for the time limit. */
        readonly setting: string,
        /** The detail or the error of the last poll. */
        readonly detail?: string,
    ) {
        super(
            `${subject} timed out after ${formatDuration(waitedMs)}: ${lastStatus} for ${formatDuration(inStatusMs)}` +
                `${detail === undefined ? "" : ` (last poll: ${detail})`}. ` +
                `Nothing was rolled back. Run \`pulumi up\` again to resume the wait, or increase ${setting}.`,
        );
    }
}

/** The resource reached a state from which it does not become ready. */
export class WaitFailedError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly lastStatus: string,
        readonly reason: string,
    ) {
        super(`${subject} failed (${lastStatus}): ${reason}`);
    }
}

/** The resource disappeared during a wait. */
export class WaitGoneError extends CloudDbError {
    constructor(readonly subject: string) {
        super(
            `${subject} no longer exists: it was deleted outside of this program, or its creation failed. ` +
                `Run \`pulumi refresh\` and then \`pulumi up\` to recreate it.`,
        );
    }
}
