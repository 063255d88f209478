/** What modules import. */
import { posix } from "node:path";
import ts from "typescript";

/** The groups of files that import each other: the strongly connected components of more than one file, by Tarjan's algorithm. */
export function circlesIn(sources) {
    const files = new Set(sources.map(({ file }) => file));
    const imports = new Map(
        sources.map(({ file, text }) => [
            file,
            ts
                .preProcessFile(text)
                .importedFiles.map(({ fileName }) => posix.join(posix.dirname(file), fileName))
                .flatMap((path) => ["", ".ts", ".tsx", "/index.ts"].map((end) => `${path}${end}`))
                .filter((path) => files.has(path)),
        ]),
    );
    const [found, indexes, lows, stack] = [[], new Map(), new Map(), []];
    const visit = (file) => {
        indexes.set(file, indexes.size);
        lows.set(file, indexes.get(file));
        stack.push(file);
        for (const next of imports.get(file)) {
            if (!indexes.has(next)) {
                visit(next);
            }
            if (stack.includes(next)) {
                lows.set(file, Math.min(lows.get(file), lows.get(next)));
            }
        }
        if (lows.get(file) === indexes.get(file)) {
            found.push(stack.splice(stack.indexOf(file)));
        }
    };
    [...files].filter((file) => !indexes.has(file)).forEach(visit);
    return found.filter((group) => group.length > 1);
}
