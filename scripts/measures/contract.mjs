/** The members of the contract of a resource, and who defines them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { readTypes } from "../docs/sources.mjs";

/**
 * Each member of the interface `Resource`, with the number of resources that define it. A member whose type is an interface
 * of the same kind of resource, such as `identity: Identity<K>`, counts as the members of this interface.
 *
 * @param {string} root - a built checkout
 */
export function contractOf(root) {
    const { checker, typeOf } = readTypes(root);
    const resources = Object.values(
        createRequire(join(root, "dist/"))("./.build/provider/resources/index.js").resources,
    );
    const contract = typeOf("provider/contract/resource.ts", "Resource");
    const pathsOf = (type) =>
        checker.getPropertiesOfType(type).flatMap((member) => {
            const of = checker.getNonNullableType(checker.getTypeOfSymbol(member));
            const isPart =
                of.target?.isClassOrInterface() && checker.getTypeArguments(of)[0] === contract.typeParameters[0];
            return isPart ? pathsOf(of).map((path) => [member.name, ...path]) : [[member.name]];
        });
    const valueAt = (resource, path) => path.reduce((value, name) => value?.[name], resource);
    return pathsOf(contract).map((path) => ({
        name: path.join("."),
        users: resources.filter((one) => valueAt(one, path) !== undefined).length,
    }));
}
