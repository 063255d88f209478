import { utf8 } from "../provider/api/utf8";

/** An input of a command is not text in UTF-8, such as one that Windows PowerShell has written with `>`. */
export class NotUtf8Error extends Error {}

/** The text of an input. The remedy is the end of an error for bytes in another encoding. */
export function inputText(bytes: Uint8Array, name: string, remedy: string): string {
    const text = utf8(bytes);
    if (text === undefined) {
        throw new NotUtf8Error(`${name} is not UTF-8. ${remedy}`);
    }
    return text;
}
