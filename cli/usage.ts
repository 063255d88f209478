import { partsOf } from "../provider/api/callErrors";
import type { Message } from "../provider/base/message";

/** The message of an error for the user of a command. For a wrong option, without the advice that Node.js adds. */
export function partsForUser(error: unknown): Message {
    const { code, message } = error as NodeJS.ErrnoException;
    return code?.startsWith("ERR_PARSE_ARGS_") ? { what: `${message.split(". ", 1)[0]}. See --help.` } : partsOf(error);
}
