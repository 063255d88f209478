import type { JournalEntry } from "../../emulator";
import { effectOf } from "../../emulator/wire";
import { decode, decodeState } from "../../provider/hosts/codec";
import type { Session } from "../../provider/lifecycle/session";
import type { ResourceType } from "../../provider/resources";
import { announcements } from "../support/cases";
import type { ChangingOperation } from "../support/cases/property";
import { untypedLifecycles } from "../support/lifecycles";
import type { RecordedCall } from "./engine/calls";
import { lastId } from "./engine/entry";

/**
 * The changes of a resource that a call has requested, and that a preview of the same state and program does not show. Only the
 * preview of an adoption reads the API, so it is left to the tests of the hosts. `session` starts a process without an engine.
 */
export function unannounced(call: RecordedCall, journal: readonly JournalEntry[], session: () => Session): string[] {
    const { method, urn, id, created = id, news = {} } = call;
    if (!["create", "update"].includes(method) || news.existingId !== undefined) {
        return [];
    }
    const ofResource = new RegExp(`/${lastId(created)}/[\\w-]+$`);
    const sent = journal
        .filter(({ method, path }) => effectOf(method) === "change" && ofResource.test(path))
        .map(({ operationId = "" }) => operationId)
        .filter((operation) => !/^(fork|create)/.test(operation))
        // Only a new password is known if the response with the generated one was lost.
        .filter((operation) => method !== "create" || operation !== "updatePassword");
    if (sent.length === 0) {
        return [];
    }
    const lines = linesOf(call, session()).map((line) => line.replace(/^(\d+ )?(if [^:]+: )*/, ""));
    return sent
        .filter((operation) => !lines.some((line) => announcements[operation as ChangingOperation]?.test(line)))
        .map((operation) => `the ${method} of ${urn} sent ${operation}, and its preview shows: ${lines.join(", ")}`);
}

function linesOf({ method, urn, id, olds = {}, news = {} }: RecordedCall, session: Session): readonly string[] {
    const lifecycle = untypedLifecycles[/(\w+)::[^:]*$/.exec(urn)?.[1] as ResourceType];
    const declared = decode(news) as never;
    return method === "create"
        ? lifecycle.describeCreation(declared)
        : lifecycle
              .in(session)
              .diff(id, decodeState(lifecycle.resource, olds), declared)
              .notices.flatMap(({ text }) => text);
}
