import type { JournalEntry } from "../../../emulator";
import { decode } from "../../../provider/hosts/codec";
import { planFor, stepsAfterEffects } from "../../../provider/lifecycle/plan";
import { untypedLifecycles } from "../../support/lifecycles";
import type { ResourceType } from "../../../provider/resources";
import type { RecordedCall } from "./engine/calls";
import { lastId } from "./engine/entry";

/** The changes of a resource that an update has requested, and that the preview of the same state does not show. */
export function unannounced(call: RecordedCall, journal: readonly JournalEntry[]): string[] {
    const { method, urn, id, olds = {}, news = {} } = call;
    if (method !== "update") {
        return [];
    }
    const type = /(\w+)::[^:]*$/.exec(urn)?.[1] as ResourceType;
    const { resource } = untypedLifecycles[type];
    const [state, declared] = [decode(olds) as never, decode(news) as never];
    const plan = planFor(resource, state, declared);
    const shown: readonly string[] = [...plan.steps, ...stepsAfterEffects(resource, state, declared, plan)].map(
        ({ call: { operation } }) => operation,
    );
    const own = new RegExp(`/${lastId(id)}/\\w+$`);
    return journal
        .filter(
            ({ method, path, operationId }) =>
                method === "POST" && own.test(path) && !/^(fork|create)/.test(operationId ?? ""),
        )
        .map(({ operationId = "" }) => operationId)
        .filter((operation) => !shown.includes(operation))
        .map((operation) => `the update of ${urn} sent ${operation}, which its preview does not show`);
}
