import { CloudDbError } from "../provider/api/errors";
import { utf8 } from "../provider/api/utf8";

/** An input of a command is not text in UTF-8, such as one that Windows PowerShell has written with `>`. */
export class NotUtf8Error extends CloudDbError {}

/** The text of an input. The remedy is the way out for bytes in another encoding. */
export function inputText(bytes: Uint8Array, name: string, remedy: string): string {
    const text = utf8(bytes);
    if (text === undefined) {
        throw new NotUtf8Error({ what: `${name} is not UTF-8.`, ways: [{ label: "Continue", text: remedy }] });
    }
    return text;
}
