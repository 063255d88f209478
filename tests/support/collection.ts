import type { Source } from "../../provider/wait/poller";
import type { TestClock } from "./virtualClock";

/** Something with a status. */
export interface Item {
    readonly id: string;
    readonly status: string;
}

/** A look that was taken at the collection. */
export interface Look {
    readonly at: number;
    /** The id that was asked for by itself, or `list`. */
    readonly of: string;
}

/** A collection of the service, as a test sees it from behind: it counts the looks, and may be slow or fail. */
export class Collection {
    readonly looks: Look[] = [];
    /** How long each answer is on its way; what it shows is what was there when it was asked for. */
    latencyMs = 0;
    /** What looks fail with, while it is set. */
    failure: Error | undefined;
    /** The most looks that were ever under way at a time. */
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

    /** As a service shows it that has a call for one item. */
    get source(): Source<Item> {
        return { ...this.listOnly, get: (id, options) => this.look(id, () => this.items.get(id), options?.signal) };
    }

    /** As a service shows it that has not. */
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
