/** What the modules of a folder import, and what they define. */
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
                .map((path) => (files.has(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`))
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

/** The names of functions that several files define. */
export function repeatedIn(sources) {
    const names = sources.flatMap(({ text }) => [...new Set(functionsIn(text))]);
    return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}

/** The functions of a module: declarations, and constants whose value is a function. */
function functionsIn(text) {
    return ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
        if (ts.isFunctionDeclaration(statement)) {
            return [statement.name.text];
        }
        return ts.isVariableStatement(statement)
            ? statement.declarationList.declarations
                  .filter(({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer))
                  .map(({ name }) => name.text)
            : [];
    });
}
