import type { Clock } from "./clock";

/** A period on the clock of the API, in milliseconds since the epoch. */
export interface Period {
    readonly from: number;
    readonly until: number;
}

/** A Date header has whole seconds, and so may a timestamp of the API. */
const resolutionMs = 1_000;

/** The clock of the API, from the Date header of the last response. It may differ from ours. */
export class ServerClock {
    private last: { readonly date: number; readonly sentAt: number; readonly receivedAt: number } | undefined;

    constructor(readonly ours: Clock) {}

    /** Records the Date header of a new response. `sentAt` is the time of its request on our clock. */
    synchronize(date: unknown, sentAt: number): void {
        const time = typeof date === "string" ? Date.parse(date) : NaN;
        if (!Number.isNaN(time)) {
            this.last = { date: time, sentAt, receivedAt: this.ours.now() };
        }
    }

    /** The longest possible period on the clock of the API since this time on ours. Undefined without a Date header. */
    since(begin: number): Period | undefined {
        if (this.last === undefined) {
            return undefined;
        }
        const { date, sentAt, receivedAt } = this.last;
        const from = date + begin - receivedAt;
        return {
            from: Math.floor(from / resolutionMs) * resolutionMs,
            until: date + resolutionMs + this.ours.now() - sentAt,
        };
    }

    /** The approximate time on the clock of the API. Without a Date header, the time on ours. */
    now(): number {
        const now = this.ours.now();
        return this.last === undefined ? now : this.last.date + now - this.last.receivedAt;
    }
}
