/** Effects of a step that end the connections of applications. */
export const disruptions = ["restarts the service", "connections end"] as const;

/** The line of a step in a preview. A disruption is at its end, where the pull request comment finds it. */
export function withDisruption(text: string, disruption: (typeof disruptions)[number]): string {
    return `${text}, ${disruption}`;
}

/** Whether a preview line describes a disruptive step. */
export function isDisruptive(line: string): boolean {
    return disruptions.some((disruption) => line.endsWith(`, ${disruption}`));
}
