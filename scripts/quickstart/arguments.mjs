/** What a person may type after `npm run quickstart --`. */
import { ScriptError } from "../lib/repository.mjs";

/** @typedef {"up" | "preview" | "refresh" | "destroy" | "reset" | "journal" | "pulumi" | "help"} Command */

export const HELP = `Usage: npm run quickstart [-- COMMAND]

Runs examples/quickstart with the real Pulumi engine against an emulator on this
computer. Everything it needs and makes is in .quickstart/; your own Pulumi
account, stacks and settings are not touched.

  up        create what the program declares, or change it; the default
  preview   show what up would do; needs no emulator
  refresh   look at what is really there and take it into the state
  destroy   delete all of it and stop the emulator
  reset     stop the emulator and forget everything, .quickstart/ with it
  journal   the requests that the emulator got; reads are counted, --all shows each
  pulumi …  any other Pulumi command, such as: pulumi stack output --show-secrets
  help      this text

What follows up, preview, refresh or destroy goes to Pulumi, such as: up --diff`;

const COMMANDS = ["up", "preview", "refresh", "destroy", "reset", "journal", "pulumi", "help"];
/** Those that take no more arguments, and what else they take. */
const OWN_FLAGS = { reset: [], journal: ["--all"], help: [] };
const MISUSED = 2;

/**
 * @param {readonly string[]} argv
 * @returns {{ command: Command, rest: string[] }}
 */
export function parseArguments(argv) {
    const [first, ...others] = argv;
    if (argv.includes("--help") && first !== "pulumi") return { command: "help", rest: [] };
    const named = first !== undefined && !first.startsWith("-");
    const command = named ? first : "up";
    const rest = named ? others : [...argv];
    if (!COMMANDS.includes(command)) {
        throw new ScriptError(`There is no command "${command}"; there are ${COMMANDS.join(", ")}.`, MISUSED);
    }
    const allowed = OWN_FLAGS[command];
    const unknown = allowed && rest.find((argument) => !allowed.includes(argument));
    if (unknown !== undefined) throw new ScriptError(`${command} does not know "${unknown}". See --help.`, MISUSED);
    return { command: /** @type {Command} */ (command), rest };
}
