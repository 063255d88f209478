/**
 * In place of the native module with which jest 30 finds modules: Wine cannot load it. Node finds them, with the extensions and the
 * conditions of jest. The package unrs-resolver loads this file, because NAPI_RS_NATIVE_LIBRARY_PATH names it.
 */
const Module = require("node:module");
const { join } = require("node:path");

exports.ResolverFactory = class ResolverFactory {
    constructor({ extensions = [], conditionNames = [] }) {
        this.extensions = extensions;
        this.conditions = new Set(conditionNames);
    }

    cloneWithOptions(options) {
        return new ResolverFactory(options);
    }

    clearCache() {
        Module._pathCache = Object.create(null);
    }

    sync(folder, request) {
        for (const extension of this.extensions) {
            // Node tries the extensions for which it has a loader.
            Module._extensions[extension] ??= Module._extensions[".js"];
        }
        const parent = { id: folder, filename: join(folder, "index.js"), paths: Module._nodeModulePaths(folder) };
        try {
            return { path: Module._resolveFilename(request, parent, false, { conditions: this.conditions }) };
        } catch (error) {
            return { error: error.message };
        }
    }

    async(folder, request) {
        return Promise.resolve(this.sync(folder, request));
    }
};
