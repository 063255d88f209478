/** What modules import. */
import { posix } from "node:path";
import ts from "typescript";

/** The number of groups of files that import each other. */
export function circlesIn(sources) {
    const files = new Set(sources.map(({ file }) => file));
    const importsOf = ({ file, text }) =>
        ts
            .preProcessFile(text)
            .importedFiles.map(({ fileName }) => posix.join(posix.dirname(file), fileName))
            .flatMap((path) => ["", ".ts", ".tsx", "/index.ts"].map((end) => `${path}${end}`))
            .filter((path) => files.has(path));
    const imports = new Map(sources.map((source) => [source.file, importsOf(source)]));
    const addReachable = (found, file) => {
        const next = imports.get(file).filter((one) => !found.has(one));
        next.forEach((one) => found.add(one));
        return next.reduce(addReachable, found);
    };
    const reachable = new Map([...files].map((file) => [file, addReachable(new Set(), file)]));
    const groupOf = (file) => [...reachable.get(file)].filter((one) => reachable.get(one).has(file)).sort();
    const groups = [...files].map((file) => groupOf(file).join());
    return new Set(groups.filter((group) => group.includes(","))).size;
}
