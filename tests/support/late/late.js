/**
 * `@pulumi/pulumi` loads TypeScript and npm's arborist when it starts, and needs them only for serialized functions.
 * This package has none. Loading them later saves half a second in each test file and in each provider process.
 */
exports.late = (load) => new Proxy({}, { get: (_, name) => name === "__esModule" || load()[name] });

/** The files of this folder that take the place of a module, by the name with which `@pulumi/pulumi` loads it. */
exports.replacements = {
    "../../typescript-shim": "typescript.js",
    "@npmcli/arborist": "arborist.js",
};
