/**
 * `@pulumi/pulumi` loads TypeScript, npm's arborist, the Automation API and its tracing when it starts, and programs and
 * providers rarely need them. Loading them on first use halves the start time of each test file and each process.
 */
exports.lazy = (load) => new Proxy({}, { get: (_, name) => name === "__esModule" || load()[name] });

/** The modules for tracing, which only the process of a program loads. */
exports.tracing = [
    "@opentelemetry/exporter-zipkin",
    "@opentelemetry/instrumentation",
    "@opentelemetry/instrumentation-grpc",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace-base",
    "@opentelemetry/sdk-trace-node",
];

/** The files of this folder that replace a module, by the name with which `@pulumi/pulumi` loads it. */
exports.replacements = {
    "../../typescript-shim": "typescript.js",
    "./automation": "automation.js",
    "@npmcli/arborist": "arborist.js",
    "js-yaml": "yaml.js",
    "normalize-package-data": "normalizePackageData.js",
    "source-map-support": "sourceMaps.js",
    "source-map-support/register": "sourceMaps.js",
};
