import type { Client } from "../api/client";
import type { Queue } from "./queue";
import type { SharedCalls } from "../wait/shared";
import type { WaitContext } from "../wait/wait";

/** What the code of a resource may use while it does something: the service, the waits, and the user's ear. */
export interface Run {
    readonly client: Client;
    readonly wait: WaitContext;
    /** Lists that several resources ask for at the same time. */
    readonly lists: SharedCalls;
    /** Keeps changes to one service from colliding. */
    readonly queue: Queue;
    /** When this operation on the resource began, on the clock. */
    readonly beganAt: number;
    /** When to give up, on the clock. */
    readonly deadlineAt: number;
    /** The setting that gives more time, for the message of a time-out. */
    readonly timeoutSetting: string;
    readonly signal: AbortSignal | undefined;
    /** Shows what is going on in the row of the resource, in place of what was there. */
    readonly say: (text: string) => void;
    /** Says something that stays in the output, under the resource. */
    readonly tell: (text: string) => void;
    /** What takes longer than this, in milliseconds, is worth a word. */
    readonly usualMs: number;
    /** The id of the thing that this resource had before, while it is being replaced. */
    readonly replacing: string | undefined;
}
