// For `node --require`: the replacements in processes that tests start.
const { existsSync } = require("node:fs");
const Module = require("node:module");
const { join, sep } = require("node:path");
const { replacements, tracing } = require("./lazy");

const files = { ...replacements, ...Object.fromEntries(tracing.map((name) => [name, "tracing.js"])) };
const isPulumi = (parent) => parent?.filename?.includes(join(sep, "@pulumi", "pulumi", sep)) ?? false;

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...rest) =>
    request in files && isPulumi(parent) ? join(__dirname, files[request]) : resolve(request, parent, ...rest);

// A program in JavaScript needs no TypeScript. The language host that Go builds ignores this setting of Pulumi.yaml.
if (existsSync("index.js")) {
    process.env.PULUMI_NODEJS_TYPESCRIPT = "false";
}
