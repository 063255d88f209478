import { dirname } from "node:path";
import { singleFile } from "./singleFile";

/** Where a user has the pages: in the package that npm has installed, or beside the plugin as a single file. */
const base = `${singleFile === undefined ? "node_modules/pulumi-clouddb" : dirname(process.execPath)}/docs`;

/** The file of a page that a message names. */
export const pageFile = (name: string): string => `${base}/${name}.md`;
