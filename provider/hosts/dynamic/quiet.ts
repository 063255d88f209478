/** The text of an error that Pulumi's host prints. The engine shows the message under the resource. */
export const alreadyReported = "(reported by the resource)";

/** Hides the output of Pulumi's host about errors that are already reported. */
export function hideReportedErrors(console: Pick<Console, "error">): void {
    const print = console.error.bind(console);
    console.error = (...values: unknown[]) => {
        if (typeof values[0] !== "string" || !values[0].startsWith(alreadyReported)) {
            print(...values);
        }
    };
}
