/**
 * Runs a command of Pulumi for the program in the current folder. The Node.js host from the Go modules is too old for
 * resource hooks, so the program runs in this process, as an inline program of the Automation API.
 */
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { delimiter, join } = require("node:path");

const [ownFolder, ...args] = process.argv.slice(2);
const fromProgram = createRequire(join(process.cwd(), "index.ts"));

/** Starts the program when the engine asks for it. Returns the option with its address. */
function serve() {
    const grpc = fromProgram("@grpc/grpc-js");
    const { LanguageServer } = fromProgram("@pulumi/pulumi/automation/server");
    const { LanguageRuntimeService } = fromProgram("@pulumi/pulumi/proto/language_grpc_pb");
    const ts = fromProgram("typescript");
    const compilerOptions = { module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    require.extensions[".ts"] = (module, fileName) => {
        const { outputText } = ts.transpileModule(readFileSync(fileName, "utf8"), { compilerOptions, fileName });
        module._compile(outputText, fileName);
    };
    // The engine starts the program once for the preview and once for the update.
    const program = async () => {
        for (const file of Object.keys(require.cache).filter((name) => !name.includes("node_modules"))) {
            delete require.cache[file];
        }
        return { ...fromProgram("./index.ts") };
    };
    const server = new grpc.Server();
    server.addService(LanguageRuntimeService, new LanguageServer(program));
    return new Promise((resolve, reject) => {
        server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
            error ? reject(error) : resolve(`--client=127.0.0.1:${port}`),
        );
    });
}

async function main() {
    const options = ["up", "preview", "destroy"].includes(args[0]) ? [await serve()] : [];
    const folders = process.env.PATH.split(delimiter).filter((folder) => folder !== ownFolder);
    const env = { ...process.env, PATH: folders.join(delimiter) };
    const child = spawn("pulumi", [...args, ...options], { stdio: "inherit", env });
    child.on("exit", (code) => process.exit(code ?? 1));
}

void main();
