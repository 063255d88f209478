import type { Clock } from "./clock";

/** A period on the API's clock, in milliseconds since the epoch. */
export interface Period {
    readonly from: number;
    readonly until: number;
}

/** A Date header has no fraction of a second, and a timestamp of the API need not have one. */
const resolutionMs = 1_000;

/** The API's clock, which may differ from ours, as the Date header of its last response shows it. */
export class ServerClock {
    private last: { readonly date: number; readonly sentAt: number; readonly receivedAt: number } | undefined;

    constructor(readonly ours: Clock) {}

    /** Takes the Date header of a response that just arrived; `sentAt` is when its request was sent, on our clock. */
    record(date: unknown, sentAt: number): void {
        const time = typeof date === "string" ? Date.parse(date) : NaN;
        if (!Number.isNaN(time)) {
            this.last = { date: time, sentAt, receivedAt: this.ours.now() };
        }
    }

    /** The longest period on the API's clock that the time since this moment on ours can be; undefined without any Date header. */
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

    /** The time on the API's clock, about; ours without any Date header. */
    now(): number {
        const now = this.ours.now();
        return this.last === undefined ? now : this.last.date + now - this.last.receivedAt;
    }
}
