import { messageOf } from "../provider/api/errors";

/** The message of an error for the user of a command. For a wrong option, without the advice that Node.js adds. */
export function messageForUser(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException;
    return code?.startsWith("ERR_PARSE_ARGS_") ? `${message.split(". ", 1)[0]}. See --help.` : messageOf(error);
}
