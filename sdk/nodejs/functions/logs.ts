import { readServiceLogs } from "../../../provider/functions/logs";
import type { GetServiceLogsArgs, LogEntry, LogPage, LogPageArgs } from "../../../provider/functions/logs";
import { callMock, isMocked } from "../mocks";
import { withoutStack } from "../plainError";

/** The log of a service, or that of the mocks in a unit test. Calls the function of a page when the caller reaches the page. */
export async function* readLogs(
    args: GetServiceLogsArgs,
    getPage: (args: LogPageArgs) => Promise<LogPage>,
): AsyncGenerator<LogEntry, void, undefined> {
    if (isMocked()) {
        yield* (await callMock<LogEntry[]>("getServiceLogs", args)).slice(0, args.limit);
        return;
    }
    try {
        yield* readServiceLogs(args, getPage);
    } catch (error) {
        throw withoutStack(error);
    }
}
