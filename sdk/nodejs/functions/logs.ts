import {
    readServiceLogs,
    type GetServiceLogsArgs,
    type LogEntry,
    type LogPage,
} from "../../../provider/functions/logs";
import { callMock, isMocked } from "../mocks";
import { withoutStack } from "../plainError";

/** The log of a service, or that of the mocks in a unit test. Calls the function of a page when the caller reaches the page. */
export async function* readLogs(
    args: GetServiceLogsArgs,
    getPage: (args: GetServiceLogsArgs & { cursor?: string }) => Promise<LogPage>,
): AsyncGenerator<LogEntry, void, undefined> {
    if (isMocked()) {
        yield* (await callMock<LogEntry[]>("getServiceLogs", args)).slice(0, args.limit);
        return;
    }
    try {
        yield* readServiceLogs(args, (cursor) => getPage(cursor === undefined ? args : { ...args, cursor }));
    } catch (error) {
        throw withoutStack(error);
    }
}
