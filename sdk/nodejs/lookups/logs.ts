import type { Output } from "@pulumi/pulumi";
import { readPage, readServiceLogs, type GetServiceLogsArgs, type LogEntry } from "../../../provider/functions/logs";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../types";
import { call, callWithInputs, currentContext, type LookupOptions } from "./lookup";
import { withoutStack } from "./plainError";

/**
 * Returns the log of a service, newest entry first (`GET …/services/{id}/logs`). It requests each page when the caller
 * reaches it, so a `break` in `for await` stops the requests. Throws an `ApiError` with status 404 if the service does not
 * exist, and a `LookupError` if `limit` is negative or the API returns the same page twice.
 */
export async function* getServiceLogs(args: GetServiceLogsArgs): AsyncGenerator<LogEntry, void, undefined> {
    if (isMocked()) {
        yield* (await callMock<LogEntry[]>("getServiceLogs", args)).slice(0, args.limit);
        return;
    }
    try {
        const context = currentContext();
        yield* readServiceLogs(args, (cursor) => readPage(args, cursor, context));
    } catch (error) {
        throw withoutStack(error);
    }
}

/** Like {@link getServiceLogs}, but takes inputs and returns all entries as one output. */
export function getServiceLogsOutput(args: Args<GetServiceLogsArgs>, options?: LookupOptions): Output<LogEntry[]> {
    return callWithInputs((known: GetServiceLogsArgs) => call("getServiceLogs", known), args, options);
}

export type { GetServiceLogsArgs, LogEntry } from "../../../provider/functions/logs";
