/** What the generated modules have in common. */
import { relative } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";

/** The definitions of the kinds. */
export const kindsFolder = "provider/resources";
/** The definitions of the functions, with their arguments, results and comments. */
export const functionsFolder = "provider/functions";
/** The resource classes and functions of programs. */
export const index = "sdk/nodejs/index.ts";

/** `ReadReplicaSet` -> `readReplicaSet`: the name of the kind, and of the file of a class with more than the generated one. */
export const nameOf = (type) => `${type[0].toLowerCase()}${type.slice(1)}`;

/** The file with the declaration of a symbol, without the ending. */
export function fileOf({ declarations: [declaration] }) {
    return relative(repositoryRoot, declaration.getSourceFile().fileName).replace(/\.ts$/, "");
}

/** Imports or exports what another module declares, one line a symbol. `up` leads from the folder of the module to the root. */
export const statements = (what, symbols, up) =>
    symbols.map((one) => `${what} { ${one.name} } from "${up}/${fileOf(one)}";`).join("\n");

/** A doc comment with lines of at most 120 characters. */
export function comment(text) {
    const paragraphs = text.split("\n\n").map((one) => one.match(/.{1,116}(?:\s|$)/g).map((line) => line.trim()));
    const lines = paragraphs.flatMap((one, index) => (index === 0 ? one : ["", ...one]));
    return lines.length === 1 ? `/** ${text} */` : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */`;
}
