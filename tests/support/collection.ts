import type { Source } from "../../provider/wait/poller";
import type { TestClock } from "./virtualClock";

/** An item with a status. */
export interface Item {
    readonly id: string;
    readonly status: string;
}

/** A read of the collection. */
export interface Look {
    readonly at: number;
    /** The id of a single item, or `list`. */
    readonly of: string;
}

/** A collection of the API under the control of a test. It records reads, and can be slow or fail. */
export class Collection {
    readonly looks: Look[] = [];
    /** The delay of each response. The response shows the items at the time of the request. */
    latencyMs = 0;
    /** The error of all reads while it is set. */
    failure: Error | undefined;
    /** The maximum number of concurrent reads. */
    mostAtOnce = 0;
    private underWay = 0;
    private readonly items = new Map<string, Item>();

    constructor(
        private readonly clock: TestClock,
        readonly key = "things",
    ) {}

    put(id: string, status: string): void {
        this.items.set(id, { id, status });
    }

    remove(id: string): void {
        this.items.delete(id);
    }

    /** A source with an operation that reads one item. */
    get source(): Source<Item> {
        return { ...this.listOnly, get: (id, options) => this.look(id, () => this.items.get(id), options?.signal) };
    }

    /** A source without such an operation. */
    get listOnly(): Source<Item> {
        return {
            key: this.key,
            idOf: ({ id }) => id,
            list: (options) => this.look("list", () => [...this.items.values()], options?.signal),
        };
    }

    private async look<T>(of: string, see: () => T, signal: AbortSignal | undefined): Promise<T> {
        this.looks.push({ at: this.clock.now(), of });
        const [seen, failure] = [see(), this.failure];
        this.underWay += 1;
        this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
        try {
            if (this.latencyMs > 0) {
                await this.clock.sleep(this.latencyMs, signal);
            }
        } finally {
            this.underWay -= 1;
        }
        if (failure) {
            throw failure;
        }
        return seen;
    }
}
