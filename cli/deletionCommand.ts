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

/**
 * The command that sends a DELETE request. It reads the token, or the path of its file, from the environment. `printf` is a
 * builtin of the shell, so no process has the token in its arguments, which other users can read.
 */
export function deletionCommand(path: string, { kind, isInFile }: Authentication): string {
    const token = isInFile ? '$(cat "$CLOUDDB_ACCESS_TOKEN_FILE")' : "$CLOUDDB_ACCESS_TOKEN";
    return `printf '${options[kind]} = %s' "${token}" | curl --config - -X DELETE "$CLOUDDB_BASE_URL${path}"`;
}

/** The option of curl for each kind of credentials. */
const options: Readonly<Record<Credentials["kind"], string>> = { bearer: "oauth2-bearer", keyPair: "user" };
