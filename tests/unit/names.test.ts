import ts from "typescript";
import { filesBelow, read } from "../support/documents";

// Who reads a name in provider/ finds one definition of it. Only the files of the kinds of resources share the names of their
// parts, and of the helpers that make them.

const partsOfKinds = ["fields", "ids", "observed", "outputs", "steps", "shown", "maybeShown", "withDefault", "ownId"];

/** The names that a file declares at its top level. */
function namesIn(file: string): string[] {
    const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
    return statements.flatMap((statement) => {
        if (ts.isVariableStatement(statement)) {
            return statement.declarationList.declarations.flatMap(({ name }) => boundIn(name));
        }
        const isNamed =
            ts.isFunctionDeclaration(statement) ||
            ts.isClassDeclaration(statement) ||
            ts.isInterfaceDeclaration(statement) ||
            ts.isTypeAliasDeclaration(statement);
        return isNamed && statement.name ? [statement.name.text] : [];
    });
}

function boundIn(name: ts.BindingName): string[] {
    if (ts.isIdentifier(name)) {
        return [name.text];
    }
    return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundIn(element.name) : []));
}

test("no two files of provider/ declare the same name at their top level", () => {
    const filesOf = new Map<string, string[]>();
    for (const file of filesBelow("provider", ".ts").filter((one) => !one.includes(".gen."))) {
        for (const name of new Set(namesIn(file))) {
            const isPart = file.startsWith("provider/resources/") && partsOfKinds.includes(name);
            filesOf.set(name, [...(filesOf.get(name) ?? []), ...(isPart ? [] : [file])]);
        }
    }
    const shared = [...filesOf].filter(([, files]) => files.length > 1);
    expect(Object.fromEntries(shared)).toEqual({});
    expect(filesOf.size).toBeGreaterThan(800);
});
