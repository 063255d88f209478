/** How an error reads where it is only printed: the engine has its message as well and shows it under its resource. */
export const toldAlready = "(told by the resource)";

/** Leaves out what Pulumi's host prints of errors that are told already. */
export function quieten(console: Pick<Console, "error">): void {
    const print = console.error.bind(console);
    console.error = (...words: unknown[]) => {
        if (typeof words[0] !== "string" || !words[0].startsWith(toldAlready)) {
            print(...words);
        }
    };
}
