import type { Authentication, Credentials } from "../provider/api/accessToken";
import { fillIn } from "../provider/api/client";
import { operations } from "../provider/api/operations.gen";

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

/** The command that sends a DELETE request. It reads the token, or the path of its file, from the environment. */
export function deletionCommand(url: string, { kind, isInFile }: Authentication): string {
    const token = isInFile ? '$(cat "$CLOUDDB_ACCESS_TOKEN_FILE")' : "$CLOUDDB_ACCESS_TOKEN";
    return `curl -X DELETE ${authorizations[kind](token)} "${url}"`;
}

/** The curl option for each kind of credentials. */
const authorizations: Readonly<Record<Credentials["kind"], (token: string) => string>> = {
    bearer: (token) => `-H "Authorization: Bearer ${token}"`,
    keyPair: (token) => `-u "${token}"`,
};

const parametersOf = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
