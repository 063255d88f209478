import { fillIn } from "./client";
import { operations } from "./operations.gen";
import type { Credentials } from "./settings";

const templates = Object.values(operations)
    .filter(({ method }) => method === "DELETE")
    .map(({ path }): string => path);

/**
 * The path of the DELETE request for the resource with these path parameters. It is safe within double quotes of a
 * shell.
 */
export function deletionPathOf(parameters: Readonly<Record<string, string>>): string {
    const names = Object.keys(parameters).sort().join();
    const template = templates.find((path) => parametersOf(path).sort().join() === names);
    if (template === undefined) {
        throw new RangeError(`No DELETE operation has the path parameters ${names}.`);
    }
    return fillIn(template, parameters).replaceAll("!", "%21");
}

/** The command that sends a DELETE request. It reads the token from the environment. */
export function deletionCommand(url: string, kind: Credentials["kind"]): string {
    return `curl -X DELETE ${authorizations[kind]} "${url}"`;
}

/** The curl option for each kind of credentials in the environment. */
const authorizations: Readonly<Record<Credentials["kind"], string>> = {
    bearer: '-H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN"',
    keyPair: '-u "$CLOUDDB_ACCESS_TOKEN"',
};

const parametersOf = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
