/** The hand-written examples of `sdk/examples`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { read } from "../lib/files.mjs";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const fileOf = (name) => `sdk/examples/${name}.md`;

/** Whether a function has an example. */
export const hasExample = (name) => existsSync(join(repositoryRoot, fileOf(name)));

/** A title, and a program in each language. */
export function exampleOf(name) {
    if (!hasExample(name)) {
        throw new ScriptError(
            `${name} has no example: write ${fileOf(name)}, with a program in each language, as the other files there.`,
        );
    }
    return read(fileOf(name)).replaceAll("\r\n", "\n");
}

/** A text of the schema with an example. From the marks around it, Pulumi's generators take the code of their own language. */
export const withExample = (text, name) =>
    `${text}\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n${exampleOf(name)}{{% /example %}}\n{{% /examples %}}`;
