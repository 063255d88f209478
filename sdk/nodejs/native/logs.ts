import type { Output } from "@pulumi/pulumi";
import { readServiceLogs } from "../../../provider/functions/logs";
import type { GetServiceLogsArgs, LogEntry } from "../lookups";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../types";
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from "./invoke";

/**
 * Returns the log of a service, newest entry first (`GET …/services/{id}/logs`). It requests each page when the caller
 * reaches it, so a `break` in `for await` stops the requests.
 */
export async function* getServiceLogs(
    args: GetServiceLogsArgs,
    options?: FunctionOptions,
): AsyncGenerator<LogEntry, void, undefined> {
    if (isMocked()) {
        yield* (await callMock<LogEntry[]>("getServiceLogs", args)).slice(0, args.limit);
        return;
    }
    yield* readServiceLogs(args, (cursor) =>
        invoke("getServiceLogsPage", cursor === undefined ? args : { ...args, cursor }, options),
    );
}

/** Like {@link getServiceLogs}, but takes inputs and returns all entries as one output. */
export function getServiceLogsOutput(
    args: Args<GetServiceLogsArgs>,
    options?: FunctionOutputOptions,
): Output<LogEntry[]> {
    return invokeOutput("getServiceLogs", args, options);
}
