import { readToken, type Credentials, type TokenSource } from "../provider/api/accessToken";
import { fillIn } from "../provider/api/client";
import type { OperationId } from "../provider/api/contract";
import { operations } from "../provider/api/operations.gen";
import type { Path } from "../provider/model/resource";

/** The path of a DELETE request with these path parameters. It is safe within double quotes of a shell. */
export function deletionPathOf(operation: OperationId, path: Path): string {
    return fillIn(operations[operation].path, path).replaceAll("!", "%21");
}

/** How the commands that this one prints authenticate. */
export interface Authentication {
    readonly kind: Credentials["kind"];
    readonly isInFile: boolean;
}

export function authenticationWith(source: TokenSource): Authentication {
    return { kind: readToken(source).kind, isInFile: "file" in source.value };
}

/** The command that sends a DELETE request. It reads the token, or the path of its file, from the environment. */
export function deletionCommand(path: string, { kind, isInFile }: Authentication): string {
    const token = isInFile ? '$(cat "$CLOUDDB_ACCESS_TOKEN_FILE")' : "$CLOUDDB_ACCESS_TOKEN";
    return `curl -X DELETE ${authorizations[kind](token)} "$CLOUDDB_BASE_URL${path}"`;
}

/** The curl option for each kind of credentials. */
const authorizations: Readonly<Record<Credentials["kind"], (token: string) => string>> = {
    bearer: (token) => `-H "Authorization: Bearer ${token}"`,
    keyPair: (token) => `-u "${token}"`,
};
