import type * as Sea from "node:sea";
import { dirname } from "node:path";

/** Only Node.js has it. */
const moduleOfNode = (): typeof Sea | undefined => process.getBuiltinModule("node:sea");
const sea = moduleOfNode();

/** The files in the plugin as a single file. Undefined in every other process. */
export const singleFile = sea?.isSea() ? sea : undefined;

/** How a user runs a command: with npx, or with the single file, which contains the commands. */
export const commandLine = (name: "emulator" | "orphans"): string =>
    singleFile === undefined ? `npx --no-install clouddb-${name}` : `${process.execPath} ${name}`;

/** The folder of the documentation: in the installed npm package, or next to the single file of the plugin. */
const base = `${singleFile === undefined ? "node_modules/pulumi-clouddb" : dirname(process.execPath)}/docs`;

/** The file of a page that a message names. */
export const pageFile = (name: string): string => `${base}/${name}.md`;

/** The page with what to do after a refused deletion, with its title: nobody finds the file of a runner that is gone. */
export const casesPage = `"Protect a database", ${pageFile("protection")}`;
