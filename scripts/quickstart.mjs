/** `npm run quickstart [-- COMMAND]`: runs examples/quickstart with the real engine and an emulator on this machine. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { withLock } from "../engine/lock.mjs";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { builtFrom } from "./lib/build.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";
import { findEmulator, journalOf, startEmulator, stopEmulator, worldOf } from "./quickstart/emulator.mjs";
import { ensureSecrets, folderOf, makeFolder, removeFolder } from "./quickstart/folder.mjs";
import { ensureStack, environmentOf, runPulumi } from "./quickstart/pulumi.mjs";
import { writeAndRead } from "./quickstart/rows.mjs";
import { countRequests, describeWorld, journalTable } from "./quickstart/text.mjs";

const help = `Usage: npm run quickstart [-- COMMAND]

Runs examples/quickstart with the real Pulumi engine and an emulator on this machine.
All its files are in .quickstart/. It does not use your own Pulumi account, stacks
and settings.

  up        create or update the resources of the program (default)
  preview   show the plan of up; needs no emulator
  refresh   read the resources and update the state
  destroy   delete all resources and stop the emulator
  reset     stop the emulator and delete .quickstart/
  journal   list the requests that the emulator received; --all includes reads
  pulumi …  run any other Pulumi command, such as: pulumi stack output --show-secrets
  help      show this text

The emulator runs a PostgreSQL server for the database and one for the replica set.
After up, the quickstart writes a row to the database and reads it from the replica
set. With --no-postgres, the emulator runs no PostgreSQL until the next reset or
destroy.

Other arguments of up, preview, refresh and destroy are passed to Pulumi, such as:
up --diff`;

const folder = folderOf(repositoryRoot);
/** A local stack has no web page to link to, and progress dots are useful only in a terminal. */
const display = ["--suppress-permalink=true", "--suppress-progress"];
const exitInvalidUsage = 2;

const commands = {
    async up(args, { postgres }) {
        const { emulator, env } = await prepare({ postgres });
        const before = (await journalOf(folder, emulator)).length;
        const code = await runPulumi(folder, env, ["up", "--yes", ...display, ...args]);
        if (code !== 0) {
            return code;
        }
        const [world, entries] = [await worldOf(folder, emulator), await journalOf(folder, emulator)];
        const rows = emulator.certificate ? await writeAndRead(folder, env, emulator, world) : [];
        print(
            "",
            "Resources in the emulator:",
            ...indent(describeWorld(world)),
            "",
            ...(rows.length > 0 ? [...rows, ""] : []),
            `Requests of this run: ${countRequests(entries.slice(before))}`,
            "",
            "Next steps:",
            "  update the database: set another cpuMillis in examples/quickstart/index.ts, then npm run quickstart",
            "  list the requests:   npm run quickstart -- journal",
            "  show the password:   npm run quickstart -- pulumi stack output connectionString --show-secrets",
            "  delete everything:   npm run quickstart -- destroy",
            "",
            `The emulator listens on ${emulator.url} (process ${emulator.pid}) until you run destroy or reset.`,
        );
    },
    async preview(args, { postgres }) {
        // A preview needs neither the emulator nor the token.
        const { env } = await prepare({ postgres, withEmulator: false });
        return runPulumi(folder, env, ["preview", ...display, ...args]);
    },
    async refresh(args, { postgres }) {
        const { env } = await prepare({ postgres });
        return runPulumi(folder, env, ["refresh", "--yes", ...display, ...args]);
    },
    async destroy(args, { postgres }) {
        if (!existsSync(folder.stack)) {
            const stopped = await stopEmulator(folder);
            return print(`There are no resources to delete.${stopped ? " The emulator is stopped." : ""}`);
        }
        const { emulator, env } = await prepare({ postgres });
        const code = await runPulumi(folder, env, ["destroy", "--yes", "--remove", ...display, ...args]);
        if (code !== 0) {
            return code;
        }
        // After --target, or if the emulator contains unmanaged resources.
        const left = describeWorld(await worldOf(folder, emulator));
        if (left.length > 0) {
            return print("", "The emulator still contains these resources and keeps running:", ...indent(left));
        }
        await stopEmulator(folder);
        rmSync(folder.withoutPostgres, { force: true });
        print("", "All resources are deleted, and the emulator is stopped.");
    },
    async reset(args) {
        if (args.length > 0) {
            throw new ScriptError("reset takes no arguments.", exitInvalidUsage);
        }
        if (!existsSync(folder.path)) {
            return print("There is nothing to reset.");
        }
        const stopped = await stopEmulator(folder);
        removeFolder(folder);
        print(`${stopped ? "The emulator is stopped, and " : ""}${relative(repositoryRoot, folder.path)} is removed.`);
    },
    async journal(args) {
        const emulator = await findEmulator(folder);
        if (!emulator) {
            throw new ScriptError("The emulator is not running. Start it with: npm run quickstart");
        }
        const lines = journalTable(await journalOf(folder, emulator), { all: args.includes("--all") });
        print(...(lines.length > 0 ? lines : ["No requests yet."]));
    },
    async pulumi(args, { postgres }) {
        if (args.length === 0) {
            throw new ScriptError("Add a Pulumi command, such as: pulumi stack output", exitInvalidUsage);
        }
        const { env } = await prepare({ postgres });
        return runPulumi(folder, env, args);
    },
    help: () => print(help),
};

/** Selects the command. The default is `up`. */
export function parse(typed) {
    const argv = typed.filter((arg) => arg !== "--no-postgres");
    const postgres = argv.length === typed.length;
    const [first] = argv;
    const isNamed = first !== undefined && !first.startsWith("-");
    const command = isNamed ? first : "up";
    if (argv.includes("--help") && command !== "pulumi") {
        return { command: "help", args: [], postgres };
    }
    if (!Object.hasOwn(commands, command)) {
        throw new ScriptError(
            `Unknown command "${command}". Use one of: ${Object.keys(commands).join(", ")}.`,
            exitInvalidUsage,
        );
    }
    return { command, args: isNamed ? argv.slice(1) : argv, postgres };
}

export async function run(typed) {
    const { command, args, postgres } = parse(typed);
    return commands[command](args, { postgres });
}

/** Installs the engine, starts the emulator and creates the stack, if necessary. */
async function prepare({ postgres, withEmulator = true }) {
    const path = pathWithEngine(await ensureEngine());
    makeFolder(folder);
    return withLock(
        folder.lock,
        (holder) => report("wait", `for ${holder}, which starts the quickstart`),
        async () => {
            const secrets = ensureSecrets(folder);
            if (!postgres) {
                writeFileSync(folder.withoutPostgres, "");
            }
            const emulator = withEmulator ? await ensureEmulator(secrets.token) : undefined;
            const env = environmentOf(folder, { path, secrets, emulator });
            await ensureStack(folder, env);
            return { emulator, env };
        },
    );
}

/** Returns the running emulator if it is of this build, otherwise starts a new one with the same state. */
async function ensureEmulator(token) {
    const build = builtFrom(repositoryRoot);
    const postgres = !existsSync(folder.withoutPostgres);
    const running = await findEmulator(folder);
    if (running?.build === build && (running?.certificate !== undefined) === postgres) {
        return running;
    }
    const restarted = await stopEmulator(folder);
    const emulator = await startEmulator(folder, { token, build, postgres });
    report("emulator", `on ${emulator.url}${restarted ? ", restarted because the build or its options changed" : ""}`);
    return emulator;
}

function print(...lines) {
    process.stdout.write(`${lines.join("\n")}\n`);
}

const indent = (lines) => lines.map((line) => `  ${line}`);
