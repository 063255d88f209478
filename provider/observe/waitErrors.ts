import { CloudDbError } from "../api/callErrors";
import { sentence, type Message, type WayOut, way } from "../base/message";
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
        { what: detail, details }: Partial<Message> = {},
    ) {
        const last = detail === undefined ? "" : ` (last poll: ${detail.replace(/\.$/, "")})`;
        super({
            what: `${subject} timed out after ${formatDuration(waitedMs)}: ${lastStatus} for ${formatDuration(inStatusMs)}${last}.`,
            ways: resuming(setting),
            details,
        });
    }
}

/** The resource reached a state from which it does not become ready. */
export class WaitFailedError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly lastStatus: string,
        readonly reason: string,
        ways: readonly WayOut[] = [],
    ) {
        super({ what: sentence(`${subject} failed (${lastStatus}): ${reason}`), ways });
    }
}

/** The resource disappeared during a wait. */
export class WaitGoneError extends CloudDbError {
    constructor(readonly subject: string) {
        super({
            what: `${subject} no longer exists: it was deleted outside of this program, or its creation failed.`,
            ways: [createsAgain],
        });
    }
}

/** After a deletion outside of the program. */
export const createsAgain = way("Create it again", "`pulumi up --refresh`");

/** The ways out of a time limit. Nothing is rolled back. */
export const resuming = (setting: string): readonly WayOut[] => [
    way("Resume", "repeat the command; nothing was rolled back"),
    way("More time", `increase ${setting}`),
];
