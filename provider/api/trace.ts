import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "./clock";
import { uniqueId } from "./random";

/** The values that describe a span. They must not be secret: no names, paths or texts of the API. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** A part of a run and the time that it took. */
export interface Span {
    /** 32 hexadecimal digits. */
    readonly traceId: string;
    /** 16 hexadecimal digits. */
    readonly id: string;
    /** The id of the span that contains this one. */
    readonly parentId: string | undefined;
    readonly name: string;
    readonly attributes: Attributes;
    /** Milliseconds since 1970. */
    readonly beganAt: number;
    readonly endedAt: number;
    /** The kind of the error with which it ended. */
    readonly error: string | undefined;
}

/** The span that contains further spans. */
export interface Parent {
    readonly traceId: string;
    readonly id?: string | undefined;
}

const current = new AsyncLocalStorage<Parent>();
const newId = (digits: number): string => uniqueId().replaceAll("-", "").slice(0, digits);
/** The trace of spans without a parent. */
const ofProcess: Parent = { traceId: newId(32) };
let receive: ((span: Span) => void) | undefined;

/** Passes each span to this function when it ends. Without one, nothing is recorded. */
export function receiveSpans(receiver: ((span: Span) => void) | undefined): void {
    receive = receiver;
}

/** Runs work whose spans belong to a span of another process. */
export function within<T>(parent: Parent | undefined, work: () => T): T {
    return parent === undefined ? work() : current.run(parent, work);
}

/** Runs work, and records it as a span that contains the spans of this work. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return receive === undefined ? work() : record(receive, name, attributes, work);
}

async function record<T>(
    receiver: (span: Span) => void,
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
): Promise<T> {
    const { traceId, id: parentId } = current.getStore() ?? ofProcess;
    const id = newId(16);
    const beganAt = systemClock.now();
    const end = (error?: string) => {
        receiver({ traceId, id, parentId, name, attributes, beganAt, endedAt: systemClock.now(), error });
    };
    try {
        const result = await current.run({ traceId, id }, work);
        end();
        return result;
    } catch (error) {
        end(kindOf(error));
        throw error;
    }
}

/** The class and the HTTP status of an error. Its message may contain the id of a secret project. */
function kindOf(error: unknown): string {
    const { name, status } = Object(error) as { name?: unknown; status?: unknown };
    return [name, status].filter((part) => typeof part === "string" || typeof part === "number").join(" ");
}
