/** The members of the contract of a resource, and who defines them. */
import { join } from "node:path";
import ts from "typescript";

/**
 * Each member of the interface `Resource`, with the number of resources that define it. A member whose type is an interface
 * of the same kind of resource, such as `identity: Identity<K>`, counts as the members of this interface. Inherited members
 * count as well.
 *
 * @param {string} root - a checkout
 */
export function contractOf(root) {
    const { config } = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const program = ts.createProgram(fileNames, options);
    const checker = program.getTypeChecker();
    const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(root, "provider/")));
    const nodes = files.flatMap(nodesBelow);

    const contract = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === "Resource");
    const declarationOf = ({ typeName }) => {
        const symbol = checker.getSymbolAtLocation(typeName);
        const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return target?.declarations?.[0];
    };
    /** The interface whose members count instead of a member with this type. */
    const partOf = (type, kind) => {
        const isOfKind =
            ts.isTypeReferenceNode(type) && type.typeArguments?.map((one) => one.getText()).join() === kind;
        const declaration = isOfKind && declarationOf(type);
        return declaration && ts.isInterfaceDeclaration(declaration) ? declaration : undefined;
    };
    const inheritedBy = ({ heritageClauses = [] }) =>
        heritageClauses.flatMap(({ types }) => types).map(({ expression: typeName }) => declarationOf({ typeName }));
    const namesOf = (declaration) => [
        ...inheritedBy(declaration).flatMap(namesOf),
        ...declaration.members.map(({ name }) => name.text),
    ];
    const pathsOf = (declaration) => {
        const members = declaration.members.flatMap((member) => {
            const { name, type = member } = member;
            const part = partOf(type, declaration.typeParameters?.[0].name.text);
            return part ? pathsOf(part).map((path) => [name.text, ...path]) : [[name.text]];
        });
        const own = new Set(members.map(([name]) => name));
        const inherited = inheritedBy(declaration)
            .flatMap(namesOf)
            .filter((name) => !own.has(name));
        return [...inherited.map((name) => [name]), ...members];
    };

    const definitions = nodes.filter(
        (node) =>
            ts.isVariableDeclaration(node) &&
            node.initializer &&
            node.type &&
            ts.isTypeReferenceNode(node.type) &&
            declarationOf(node.type) === contract,
    );
    const defines = ({ initializer }, path) => {
        const typeAt = (type, name) => {
            const property = type && checker.getPropertyOfType(type, name);
            return property && checker.getTypeOfSymbol(property);
        };
        return path.reduce(typeAt, checker.getTypeAtLocation(initializer)) !== undefined;
    };
    return pathsOf(contract).map((path) => ({
        name: path.join("."),
        users: definitions.filter((one) => defines(one, path)).map(({ name }) => name.getText()),
    }));
}

function nodesBelow(node) {
    const nodes = [];
    const visit = (one) => {
        nodes.push(one);
        ts.forEachChild(one, visit);
    };
    visit(node);
    return nodes;
}
