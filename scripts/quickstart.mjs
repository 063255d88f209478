/** `npm run quickstart [-- COMMAND]`: examples/quickstart with the real engine against an emulator on this machine. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { withLock } from "../engine/lock.mjs";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { builtFrom } from "./lib/build.mjs";
import { ROOT, say, ScriptError } from "./lib/repository.mjs";
import { findEmulator, journalOf, startEmulator, stopEmulator, worldOf } from "./quickstart/emulator.mjs";
import { ensureSecrets, folderOf, makeFolder, removeFolder } from "./quickstart/folder.mjs";
import { ensureStack, environmentOf, runPulumi } from "./quickstart/pulumi.mjs";
import { writeAndRead } from "./quickstart/rows.mjs";
import { countRequests, describeWorld, journalTable } from "./quickstart/text.mjs";

const HELP = `Usage: npm run quickstart [-- COMMAND]

Runs examples/quickstart with the real Pulumi engine against an emulator on this
machine. Everything it needs and creates is in .quickstart/; your own Pulumi
account, stacks and settings are not used.

  up        create or update what the program declares; the default
  preview   show what up would do; needs no emulator
  refresh   read the resources and update the state
  destroy   delete all resources and stop the emulator
  reset     stop the emulator and delete .quickstart/
  journal   the requests that the emulator got; --all shows the reads, too
  pulumi …  any other Pulumi command, such as: pulumi stack output --show-secrets
  help      this text

A PostgreSQL server runs for the database and one for the replica set; after up, a
row is written to the one and read from the other. With --no-postgres the emulator
only answers the API, until the next reset or destroy.

Other arguments of up, preview, refresh and destroy go to Pulumi, such as: up --diff`;

const folder = folderOf(ROOT);
/** No link to a page that a local stack does not have; no rows of dots without a terminal. */
const DISPLAY = ["--suppress-permalink=true", "--suppress-progress"];
const MISUSED = 2;

const commands = {
    async up(args, { postgres }) {
        const { emulator, env } = await prepare({ postgres });
        const before = (await journalOf(folder, emulator)).length;
        const code = await runPulumi(folder, env, ["up", "--yes", ...DISPLAY, ...args]);
        if (code !== 0) return code;
        const [world, entries] = [await worldOf(folder, emulator), await journalOf(folder, emulator)];
        const rows = emulator.certificate ? await writeAndRead(folder, env, emulator, world) : [];
        print(
            "",
            "In the emulator now:",
            ...indent(describeWorld(world)),
            "",
            ...(rows.length > 0 ? [...rows, ""] : []),
            `Requests of this run: ${countRequests(entries.slice(before))}`,
            "",
            "Next steps:",
            "  update something: set another cpuMillis in examples/quickstart/index.ts, then npm run quickstart",
            "  see the requests: npm run quickstart -- journal",
            "  see the password: npm run quickstart -- pulumi stack output connectionString --show-secrets",
            "  delete it all:    npm run quickstart -- destroy",
            "",
            `The emulator listens on ${emulator.url} (process ${emulator.pid}) until then.`,
        );
    },
    async preview(args, { postgres }) {
        // Without emulator and token, which it does not need.
        const { env } = await prepare({ postgres, withEmulator: false });
        return runPulumi(folder, env, ["preview", ...DISPLAY, ...args]);
    },
    async refresh(args, { postgres }) {
        const { env } = await prepare({ postgres });
        return runPulumi(folder, env, ["refresh", "--yes", ...DISPLAY, ...args]);
    },
    async destroy(args, { postgres }) {
        if (!existsSync(folder.stack)) {
            const stopped = await stopEmulator(folder);
            return print(`There is nothing to destroy.${stopped ? " The emulator is stopped." : ""}`);
        }
        const { emulator, env } = await prepare({ postgres });
        const code = await runPulumi(folder, env, ["destroy", "--yes", "--remove", ...DISPLAY, ...args]);
        if (code !== 0) return code;
        // With --target, or with resources that the program did not create.
        const left = describeWorld(await worldOf(folder, emulator));
        if (left.length > 0) return print("", "Still in the emulator, which keeps running:", ...indent(left));
        await stopEmulator(folder);
        rmSync(folder.withoutPostgres, { force: true });
        print("", "The emulator is empty, and stopped.");
    },
    async reset(args) {
        if (args.length > 0) throw new ScriptError("reset takes no arguments.", MISUSED);
        if (!existsSync(folder.path)) return print("There is nothing to reset.");
        const stopped = await stopEmulator(folder);
        removeFolder(folder);
        print(`${stopped ? "The emulator is stopped, and " : ""}${relative(ROOT, folder.path)} is removed.`);
    },
    async journal(args) {
        const emulator = await findEmulator(folder);
        if (!emulator) throw new ScriptError("The emulator does not run; npm run quickstart starts it.");
        const lines = journalTable(await journalOf(folder, emulator), { all: args.includes("--all") });
        print(...(lines.length > 0 ? lines : ["No requests yet."]));
    },
    async pulumi(args, { postgres }) {
        if (args.length === 0) throw new ScriptError("Add a Pulumi command, such as: pulumi stack output", MISUSED);
        const { env } = await prepare({ postgres });
        return runPulumi(folder, env, args);
    },
    help: () => print(HELP),
};

/** Selects the command; without a name it is `up`. */
export function parse(typed) {
    const argv = typed.filter((arg) => arg !== "--no-postgres");
    const postgres = argv.length === typed.length;
    const [first] = argv;
    const isNamed = first !== undefined && !first.startsWith("-");
    const command = isNamed ? first : "up";
    if (argv.includes("--help") && command !== "pulumi") return { command: "help", args: [], postgres };
    if (!Object.hasOwn(commands, command)) {
        throw new ScriptError(
            `There is no command "${command}"; use one of ${Object.keys(commands).join(", ")}.`,
            MISUSED,
        );
    }
    return { command, args: isNamed ? argv.slice(1) : argv, postgres };
}

export async function run(typed) {
    const { command, args, postgres } = parse(typed);
    return commands[command](args, { postgres });
}

/** Installs the engine, starts the emulator and creates the stack where they are missing. */
async function prepare({ postgres, withEmulator = true }) {
    const path = pathWithEngine(await ensureEngine());
    makeFolder(folder);
    return withLock(
        folder.lock,
        (holder) => say("wait", `for ${holder}, which starts the quickstart`),
        async () => {
            const secrets = ensureSecrets(folder);
            if (!postgres) writeFileSync(folder.withoutPostgres, "");
            const emulator = withEmulator ? await ensureEmulator(secrets.token) : undefined;
            const env = environmentOf(folder, { path, secrets, emulator });
            await ensureStack(folder, env);
            return { emulator, env };
        },
    );
}

/** The running emulator, if it is of this build; otherwise a new one with the same state. */
async function ensureEmulator(token) {
    const build = builtFrom(ROOT);
    const postgres = !existsSync(folder.withoutPostgres);
    const running = await findEmulator(folder);
    if (running?.build === build && (running?.certificate !== undefined) === postgres) return running;
    const restarted = await stopEmulator(folder);
    const emulator = await startEmulator(folder, { token, build, postgres });
    say("emulator", `on ${emulator.url}${restarted ? ", restarted because it was another build" : ""}`);
    return emulator;
}

function print(...lines) {
    process.stdout.write(`${lines.join("\n")}\n`);
}

const indent = (lines) => lines.map((line) => `  ${line}`);
