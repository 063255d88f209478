import { previewReadMs } from "../api/client";
import type { FunctionContext } from "../functions/function";
import type { Session } from "../lifecycle/session";

/** The context of a function. A preview must not hang. */
export function functionContext(session: Session, isPreview: boolean): FunctionContext {
    return {
        ...(isPreview ? { deadlineAt: session.now() + previewReadMs } : {}),
        client: session.currentClient(),
        projectId: () => session.projectId(),
        warn: (text) => {
            session.engine.warn(undefined, text);
        },
        signal: session.engine.gone,
    };
}
