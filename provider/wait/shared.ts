import type { Clock } from "../api/clock";
import { sharedGapMs } from "./schedule";

/** Those who ask for the same thing at about the same time share one call, which is begun after they have asked. */
export class SharedCalls {
    private readonly lines = new Map<string, Line>();

    constructor(private readonly clock: Clock) {}

    /** Makes the call, or waits for the one that others of this key are about to make. */
    ask<T>(key: string, call: () => Promise<T>): Promise<T> {
        const line: Line = this.lines.get(key) ?? { beganAt: -Infinity, running: undefined, next: undefined };
        this.lines.set(key, line);
        if (line.next !== undefined) {
            return line.next as Promise<T>;
        }
        const begin = () => {
            line.next = undefined;
            return this.begin(line, call);
        };
        const early = line.beganAt + sharedGapMs - this.clock.now();
        if (line.running === undefined && early <= 0) {
            return begin();
        }
        // What is under way may have been answered before this was asked.
        const over = Promise.resolve(line.running).catch(() => undefined);
        const mine = Promise.all([over, early > 0 ? this.clock.sleep(early) : undefined]).then(begin);
        line.next = mine;
        return mine;
    }

    private begin<T>(line: Line, call: () => Promise<T>): Promise<T> {
        line.beganAt = this.clock.now();
        const mine = call().finally(() => {
            line.running = undefined;
        });
        line.running = mine;
        return mine;
    }
}

/** The calls of one key, of which one at a time is under way. */
interface Line {
    beganAt: number;
    running: Promise<unknown> | undefined;
    next: Promise<unknown> | undefined;
}
