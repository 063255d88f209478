import { fillIn } from "./client";
import { operations } from "./operations.gen";
import type { Credentials } from "./settings";

const templates = Object.values(operations)
    .filter(({ method }) => method === "DELETE")
    .map(({ path }): string => path);

/** The path of the DELETE of what these path parameters name; also safe between the quotes of a shell. */
export function deletionPathOf(parameters: Readonly<Record<string, string>>): string {
    const names = Object.keys(parameters).sort().join();
    const template = templates.find((path) => parametersOf(path).sort().join() === names);
    if (template === undefined) {
        throw new RangeError(`Nothing with the parameters ${names} can be deleted.`);
    }
    return fillIn(template, parameters).replaceAll("!", "%21");
}

/** The command that sends a DELETE; the token is not in it. */
export function deletionCommand(url: string, kind: Credentials["kind"]): string {
    return `curl -X DELETE ${authorizations[kind]} "${url}"`;
}

/** How curl authenticates with what is in the environment: a token, or a pair of keys. */
const authorizations: Readonly<Record<Credentials["kind"], string>> = {
    bearer: '-H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN"',
    keyPair: '-u "$CLOUDDB_ACCESS_TOKEN"',
};

const parametersOf = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
