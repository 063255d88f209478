import { operations } from "../api/operations.gen";
import type { Step } from "../contract/resource";

// What a step costs, at the end of its line in a preview, where the pull request comment finds it.

/** Effects of a step that end the connections of applications. */
export const disruptions = ["restarts the service", "connections end"] as const;

const lasting = ", takes minutes";

/** The API answers with this status if it has only accepted a change. */
const accepted = 202;

/** The text of a step that ends the connections of applications. */
export function withDisruption(text: string, disruption: (typeof disruptions)[number]): string {
    return `${text}, ${disruption}`;
}

/** Whether a change waits for minutes, because the API carries it out after its response. */
export function takesMinutes({ call }: Pick<Step, "call">): boolean {
    return operations[call.operation].success === accepted;
}

/** The line of a step in the preview of an update. */
export function updateLine(step: Pick<Step, "call" | "text">): string {
    return takesMinutes(step) ? `${step.text}${lasting}` : step.text;
}

/** Whether a preview line describes a disruptive step. */
export function isDisruptive(line: string): boolean {
    const text = line.endsWith(lasting) ? line.slice(0, -lasting.length) : line;
    return disruptions.some((disruption) => text.endsWith(`, ${disruption}`));
}
