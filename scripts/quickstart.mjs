/** `npm run quickstart [-- COMMAND]`: runs examples/quickstart with the real engine and an emulator on this machine. */
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { withLock } from "./engine/lock.mjs";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { builtFrom } from "./lib/build.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";
import { findEmulator, startEmulator, stopEmulator } from "./quickstart/emulator.mjs";
import { ensureSecrets, folderOf, makeFolder, removeFolder } from "./quickstart/folder.mjs";
import { ensureStack, environmentOf, runPulumi } from "./quickstart/pulumi.mjs";
import { writeAndRead } from "./quickstart/rows.mjs";

const help = `Usage: npm run quickstart [-- COMMAND]

Runs examples/quickstart with the real Pulumi engine and an emulator on this machine.
All its files are in .quickstart/. It does not use your own Pulumi account, stacks
and settings.

  up        create or update the resources of the program (default)
  preview   show the plan of up; needs no emulator
  destroy   delete all resources and stop the emulator
  reset     stop the emulator and delete .quickstart/
  pulumi …  run any other Pulumi command, such as: pulumi stack output --show-secrets
  help      show this text

The emulator runs a PostgreSQL server for the database and one for the replica set.
After up, the quickstart writes a row to the database and reads it from the replica
set. With --no-postgres, and on Windows, the emulator starts without PostgreSQL.

Other arguments of up, preview and destroy are passed to Pulumi, such as: up --diff`;

const folder = folderOf(repositoryRoot);
/** A local stack has no web page to link to, and progress dots are useful only in a terminal. */
const display = ["--suppress-permalink=true", "--suppress-progress"];

const commands = {
    async up(args, options) {
        const { code, emulator, env } = await pulumi(["up", "--yes", ...display, ...args], options);
        if (code !== 0) {
            return code;
        }
        const rows = emulator.certificate ? await writeAndRead(folder, env, emulator) : [];
        print(
            "",
            ...rows,
            "Next steps:",
            `  see what happened:   open ${emulator.page} in a browser`,
            "  update the database: set another cpuMillis in examples/quickstart/index.ts, then npm run quickstart",
            "  show the password:   npm run quickstart -- pulumi stack output connectionString --show-secrets",
            "  delete everything:   npm run quickstart -- destroy",
            "",
            `The emulator listens on ${emulator.url} (process ${emulator.pid}) until you run destroy or reset.`,
        );
    },
    // A preview needs neither the emulator nor the token.
    preview: (args, options) => codeOf(["preview", ...display, ...args], { ...options, withEmulator: false }),
    async destroy(args, options) {
        if (!existsSync(folder.stack)) {
            const stopped = await stopEmulator(folder);
            return print(`There are no resources to delete.${stopped ? " The emulator is stopped." : ""}`);
        }
        const code = await codeOf(["destroy", "--yes", "--remove", ...display, ...args], options);
        // After --target, the stack remains.
        if (code !== 0 || existsSync(folder.stack)) {
            return code;
        }
        await stopEmulator(folder);
        print("", "All resources of the program are deleted, and the emulator is stopped.");
    },
    async reset() {
        const stopped = await stopEmulator(folder);
        removeFolder(folder);
        print(`${stopped ? "The emulator is stopped, and " : ""}${relative(repositoryRoot, folder.path)} is removed.`);
    },
    pulumi: (args, options) => codeOf(args, options),
    help: () => print(help),
};

const codeOf = async (args, options) => (await pulumi(args, options)).code;

export async function run(typed) {
    const argv = typed.filter((arg) => arg !== "--no-postgres");
    const [name, ...args] = argv.length === 0 || argv[0].startsWith("-") ? ["up", ...argv] : argv;
    if (!Object.hasOwn(commands, name)) {
        throw new ScriptError(`Unknown command "${name}". Use one of: ${Object.keys(commands).join(", ")}.`);
    }
    const command = args.includes("--help") && name !== "pulumi" ? "help" : name;
    return commands[command](args, { postgres: argv.length === typed.length && process.platform !== "win32" });
}

/** Installs the engine, starts the emulator and creates the stack, if necessary. Then runs Pulumi. */
async function pulumi(args, { postgres, withEmulator = true }) {
    const path = pathWithEngine(await ensureEngine());
    makeFolder(folder);
    const prepared = await withLock(folder.lock, "starts the quickstart", async () => {
        const secrets = ensureSecrets(folder);
        const emulator = withEmulator ? await ensureEmulator(secrets.token, postgres) : undefined;
        const env = environmentOf(folder, { path, secrets, emulator });
        await ensureStack(folder, env);
        return { emulator, env };
    });
    return { ...prepared, code: await runPulumi(folder, prepared.env, args) };
}

/** Returns the running emulator if it is from this build. Otherwise, starts a new one with the same state. */
async function ensureEmulator(token, postgres) {
    const build = builtFrom(repositoryRoot);
    const running = await findEmulator(folder);
    if (running && running.build === build && (postgres || !running.certificate)) {
        return running;
    }
    await stopEmulator(folder);
    const emulator = await startEmulator(folder, { token, build, postgres });
    report("emulator", `on ${emulator.url}${running ? ", restarted because the build or its options changed" : ""}`);
    return emulator;
}

const print = (...lines) => console.log(lines.join("\n"));
