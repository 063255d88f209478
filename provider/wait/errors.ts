import { CloudDbError } from "../api/errors";
import { formatDuration } from "./duration";

/** Time ran out; what is waited for goes on, and nothing was undone. */
export class WaitTimeoutError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly lastStatus: string,
        readonly inStatusMs: number,
        readonly waitedMs: number,
        /** The setting that gives more time. */
        readonly setting: string,
        /** What the last look told beside the status, or what it failed with. */
        readonly detail?: string,
    ) {
        super(
            `${subject} was not done after ${formatDuration(waitedMs)}: ${lastStatus} for ${formatDuration(inStatusMs)}` +
                `${detail === undefined ? "" : ` (last look: ${detail})`}. ` +
                `Nothing was undone; run \`pulumi up\` again to go on waiting, or give it more time with ${setting}.`,
        );
    }
}

/** It reached a state that waiting does not cure. */
export class WaitFailedError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly lastStatus: string,
        readonly reason: string,
        /** The property whose present value is the reason, where a change of it would help. */
        readonly property?: string,
    ) {
        super(`${subject} failed (${lastStatus}): ${reason}`);
    }
}

/** It went away while it was waited for. */
export class WaitGoneError extends CloudDbError {
    constructor(readonly subject: string) {
        super(
            `${subject} is gone: it was deleted outside of this program, or never came to be. ` +
                `Run \`pulumi refresh\` and then \`pulumi up\` to make it anew.`,
        );
    }
}
