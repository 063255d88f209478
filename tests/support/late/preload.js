// For `node --require`: the replacements in processes that tests start.
const Module = require("node:module");
const { join } = require("node:path");
const { replacements } = require("./late");

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) =>
    request in replacements ? join(__dirname, replacements[request]) : resolve(request, ...rest);
