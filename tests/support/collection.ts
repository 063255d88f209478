import { ApiError } from "../../provider/api/callErrors";
import type { Collection } from "../../provider/model/collection";
import { someCall } from "./client";
import type { TestClock } from "./virtualClock";

export interface Item {
    readonly id: string;
    readonly status: string;
}

/** A fake collection of the API. It records the polls, and can be slow or fail. */
export class FakeCollection {
    /** `of` is the id of the item that was read, or `list`. */
    readonly polls: { readonly at: number; readonly of: string }[] = [];
    /** The delay of each response. The response has the items at the time of the request. */
    latencyMs = 0;
    /** The error of polls while it is set. */
    failure: Error | undefined;
    private readonly items = new Map<string, Item>();

    constructor(private readonly clock: TestClock) {}

    put(id: string, status: string): void {
        this.items.set(id, { id, status });
    }

    remove(id: string): void {
        this.items.delete(id);
    }

    /** The collection of an API that can read one item. */
    get collection(): Collection<Item> {
        return {
            ...this.listOnly,
            get: async (id, options) => {
                const item = await this.read(id, () => this.items.get(id), options.signal);
                if (item === undefined) {
                    throw new ApiError(someCall, 404, undefined, undefined, undefined);
                }
                return item;
            },
        };
    }

    /** The source for an API that can only list. */
    get listOnly(): Collection<Item> {
        return {
            key: "things",
            idOf: (entry) => (entry as Item).id,
            list: (options) => this.read("list", () => [...this.items.values()], options.signal),
        };
    }

    private async read<T>(of: string, evaluate: () => T, signal: AbortSignal | undefined): Promise<T> {
        this.polls.push({ at: this.clock.now(), of });
        const [result, failure] = [evaluate(), this.failure];
        if (this.latencyMs > 0) {
            await this.clock.sleep(this.latencyMs, signal);
        }
        if (failure) {
            throw failure;
        }
        return result;
    }
}
