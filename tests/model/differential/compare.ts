import { isDeepStrictEqual } from "node:util";
import type { RecordedCall } from "../engine/calls";
import { lastId } from "../engine/entry";
import { isSecretValue } from "../../support/properties";

/** Outputs that differ between two servers. */
const incomparable: ReadonlySet<string> = new Set([
    ...["created", "host", "port", "poolerHost", "poolerPort", "vpcHost", "vpcPort", "initialPassword"],
    ...["connectionString", "currentPassword", "poolerConnectionString", "vpcConnectionString", "interruptedAt"],
]);

/** Replaces ids by their number, in the order of their first use. The ids of a history belong to one object. */
export class Ids {
    private readonly numbers = new Map<string, string>();

    note({ id, created }: RecordedCall): void {
        for (const one of [id, created ?? ""].flatMap((whole) => [whole, lastId(whole)])) {
            if (one !== "" && !this.numbers.has(one)) {
                this.numbers.set(one, `id ${this.numbers.size + 1}`);
            }
        }
    }

    /** The id of the same object in another list of ids. */
    in(other: Ids, id: string): string {
        const number = this.numbers.get(id);
        return [...other.numbers].find(([, one]) => one === number)?.[0] ?? id;
    }

    of(value: unknown): unknown {
        return typeof value === "string" ? (this.numbers.get(value) ?? value) : value;
    }
}

/** The first difference between the calls of a run, by object; undefined if there is none. */
export function difference(
    real: readonly RecordedCall[],
    model: readonly RecordedCall[],
    ids: { real: Ids; model: Ids },
): string | undefined {
    const left = byObject(real, ids.real);
    const right = byObject(model, ids.model);
    for (const name of new Set([...left.keys(), ...right.keys()])) {
        const [one, other] = [left.get(name) ?? [], right.get(name) ?? []];
        const at = Array.from({ length: Math.max(one.length, other.length) }, (_, index) => index).find(
            (index) => !isDeepStrictEqual(one[index], other[index]),
        );
        if (at !== undefined) {
            const methods = (calls: readonly Comparable[]) =>
                calls.map(({ method, id }) => [method, id].join(" ")).join(", ");
            return [
                name,
                `  engine: ${methods(one)}`,
                `  model:  ${methods(other)}`,
                ...unlike(one[at], other[at]).map((line) => `  call ${at + 1}: ${line}`),
            ].join("\n");
        }
    }
    return undefined;
}

/**
 * Whether the engine has left out a deletion, because another one failed that runs in parallel. Which of them begins first is a
 * matter of chance.
 */
export function isCutShort(real: readonly RecordedCall[], model: readonly RecordedCall[]): boolean {
    const deletions = (calls: readonly RecordedCall[]) => calls.filter(({ method }) => method === "delete");
    return deletions(real).some(({ failed }) => failed) && deletions(real).length < deletions(model).length;
}

type Comparable = Record<string, unknown>;

/**
 * The calls in groups whose order is certain. Deletions and refreshes of objects run in parallel, even if they have the same
 * URN, because one of them is pending deletion.
 */
function byObject(calls: readonly RecordedCall[], ids: Ids): Map<string, Comparable[]> {
    const isRefresh = calls.some(({ method }) => method === "read");
    const found = new Map<string, Comparable[]>();
    for (const call of calls) {
        ids.note(call);
        const isParallel = isRefresh || call.method === "delete";
        const name = isParallel ? `${call.urn} ${String(ids.of(call.id))}` : call.urn;
        found.set(name, [...(found.get(name) ?? []), normalised(call, ids)]);
    }
    return found;
}

function normalised(
    { provider, method, id, olds = {}, news, created = "", failed }: RecordedCall,
    ids: Ids,
): Comparable {
    return {
        provider: provider.replace(/^.*::/, "").replace(/^default.*/, "default"),
        method,
        id: ids.of(id),
        created: ids.of(created),
        failed,
        olds: comparable(olds, ids),
        news: comparable(news ?? {}, ids),
    };
}

/** Values without secrets, nulls and what differs between servers. */
function comparable(value: unknown, ids: Ids): unknown {
    if (Array.isArray(value)) {
        return value.map((item) => comparable(item, ids));
    }
    if (typeof value !== "object" || value === null) {
        return ids.of(value);
    }
    if (isSecretValue(value)) {
        return comparable(value.value, ids);
    }
    const entries = Object.entries(value).map(([name, one]) => [name, comparable(one, ids)] as const);
    return Object.fromEntries(entries.filter(([name, one]) => one !== null && !incomparable.has(name)));
}

function unlike(one: Comparable = {}, other: Comparable = {}): string[] {
    const flat = (call: Comparable): [string, unknown][] =>
        Object.entries(call).flatMap(([name, value]) =>
            name === "olds" || name === "news"
                ? Object.entries(value as object).map(
                      ([field, item]) => [`${name}.${field}`, item] as [string, unknown],
                  )
                : [[name, value] as [string, unknown]],
        );
    const [left, right] = [new Map(flat(one)), new Map(flat(other))];
    return [...new Set([...left.keys(), ...right.keys()])]
        .filter((name) => !isDeepStrictEqual(left.get(name), right.get(name)))
        .map((name) => `${name} is ${JSON.stringify(left.get(name))}, in the model ${JSON.stringify(right.get(name))}`);
}
