import type { BodyOf, OperationId } from "../api/contract";
import { operations } from "../api/operations.gen";
import { same, type Planned } from "../base/fields";

/** An API request as data, without the path of the resource. */
export type Call = {
    [Id in OperationId]: { readonly operation: Id; readonly body?: BodyOf<Id> | undefined };
}[OperationId];

/** Effects of a step that end the connections of applications. */
const disruptions = ["restarts the service", "connections end"] as const;

type Disruption = (typeof disruptions)[number];

/**
 * The state in which the API accepts a change. A resource at rest has no change in progress. A service at rest may be
 * paused, and is otherwise running.
 */
export type Need = "rest" | "running";

/** One request of a plan, its line in a preview, and what it changes. */
export interface Step<Observed extends object = object, Held extends object = object> {
    readonly call: Call;
    /** Reads the body just before the request. Absent if the call has it: plan and state never contain what this returns. */
    readonly readBody?: () => Call["body"];
    /** What it does: the text of its row, and the first part of its line in a preview. */
    readonly title: string;
    /** Why it is necessary, when it is made, or what follows from it. */
    readonly note?: string | undefined;
    readonly disruption?: Disruption;
    /** What messages call the secret that the step sets. No read shows its effect, so its request is always sent. */
    readonly secretNoun?: string;
    /** The properties that the step sets and that show its effect. Absent for a secret. */
    readonly sets?: Partial<Planned<Observed>>;
    /**
     * What else changes, with the new value as far as it is known before. Those that no read shows are uncertain from the
     * request on. When the step is complete, the state has the values from here, and none of them is uncertain, even if it is the same
     * as before.
     */
    readonly affects?: Partial<Planned<Observed & Held>> | undefined;
    /**
     * What the API requires for the request, and what the resource returns to. Absent if the contract does not say: at rest,
     * but if the API rejects the request, it may have to run.
     */
    readonly needs?: Need | undefined;
    /**
     * What the user can do if the API rejects the step and the resource is paused. Absent if the plan or the next one resumes it.
     */
    readonly ifPaused?: string | undefined;
    /** What the user can do if the API cannot make the change. Absent if every version of the API can. */
    readonly ifUnsupported?: string | undefined;
}

/** The values of a step that change properties: what a preview predicts, and a detailed diff compares. */
export function valuesAfter(steps: readonly Pick<Step, "sets" | "affects">[]): Readonly<Record<string, unknown>> {
    // A step can change a property that a later step changes back.
    return Object.assign({}, ...steps.map(({ sets, affects }) => ({ ...sets, ...affects }))) as Record<string, unknown>;
}

/** Whether two steps send the same request. */
export function isSameCall(left: Call, right: Call): boolean {
    return left.operation === right.operation && same(left.body, right.body);
}

const lasting = "done in minutes";

/** Whether a change waits for minutes, because the API carries it out after its response. */
export function takesMinutes({ call }: Pick<Step, "call">): boolean {
    return operations[call.operation].takes === "minutes";
}

type Line = Pick<Step, "title" | "note" | "disruption">;

/** The line of a step in a preview. The pull request comment finds the disruption at its end. */
export function lineOf({ title, note, disruption }: Line): string {
    return [title, note, disruption].filter((part) => part !== undefined).join(", ");
}

/** The line of a step in the preview of an update, which also says if the step takes minutes. */
export function updateLine(step: Pick<Step, "call"> & Line): string {
    return takesMinutes(step) ? `${lineOf(step)}, ${lasting}` : lineOf(step);
}

/** Whether a preview line describes a disruptive step. */
export function isDisruptive(line: string): boolean {
    return disruptions.some(
        (disruption) => line.endsWith(`, ${disruption}`) || line.endsWith(`, ${disruption}, ${lasting}`),
    );
}
