export function findBrowser(): string | undefined;
export const BROWSER_ARGUMENTS: readonly string[];
