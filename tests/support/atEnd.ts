const ends: (() => unknown)[] = [];

/** Registers what ends after the tests of the file, the last one first. */
export function atEnd(end: () => unknown): void {
    ends.push(end);
}

/** Ends it all. environment.js calls this after the tests and hooks of the file. */
export async function endAll(): Promise<void> {
    for (const end of ends.splice(0).reverse()) {
        await end();
    }
}

Object.assign(globalThis, { endAll });
