import { runInThisContext } from "node:vm";
import { version } from "./version";

// The entry point of the single executable: the plugin, and the commands of the npm package.

interface Command {
    readonly help: string;
    readonly run: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
    emulator: {
        help: "run an emulator of the management API on this computer",
        run: () => import("../emulator/cli.js"),
    },
    orphans: {
        help: "list the resources of a project that are in no stack",
        run: () => import("../cli/clouddb-orphans.js"),
    },
    "plan-comment": {
        help: "convert the output of `pulumi preview --json` to Markdown",
        run: () => import("../cli/clouddb-plan-comment.js"),
    },
};

const columnWidth = 14;

const usage = `Usage: pulumi-resource-clouddb [COMMAND [options]]

The CloudDB plugin, which Pulumi starts. With a command, it does not serve Pulumi:

${Object.entries(commands)
    .map(([name, { help }]) => `  ${name.padEnd(columnWidth)}${help}\n`)
    .join("")}
COMMAND --help prints the options of a command. --version prints the version and the commit of the plugin.
`;

const exitInvalidUsage = 2;

const [, , word = "", text = ""] = process.argv;

if (Object.hasOwn(commands, word)) {
    // A command reads its own arguments from here.
    process.argv.splice(2, 1);
    void commands[word]?.run();
} else if (word === "--help") {
    process.stdout.write(usage);
} else if (word === "--version") {
    process.stdout.write(version());
} else if (word === "-e") {
    // As with `node -e`, by which the emulator starts the program that cleans up after it.
    runInThisContext(text);
} else if (word === "" || word.startsWith("-") || word.includes(":")) {
    // Pulumi passes flags and its address, HOST:PORT.
    void import("./serve.js");
} else {
    process.stderr.write(`pulumi-resource-clouddb: there is no command "${word}". See --help.\n`);
    process.exitCode = exitInvalidUsage;
}
