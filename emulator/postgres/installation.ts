import { createHmac } from "node:crypto";
import type { Binaries } from "./binaries";
import type { ServerUser } from "./user";

/** The part that all servers of an emulator share. */
export interface Installation {
    binaries: Binaries;
    user: ServerUser;
    /** The parent of the servers' folders. */
    data: string;
    /** The home folder of the servers' user: the temporary folder. */
    home: string;
    /** The password of a role that only the emulator, a replica or the pooler uses. */
    passwordOf: (role: InternalRole) => string;
    certificateFile: string;
    keyFile: string;
    log: (line: string) => void;
    /** Reports a failure or a warning. */
    report: (line: string) => void;
}

/** The role of the emulator, which may do everything, and those that a replica and the pooler use. */
export const superuserName = "postgres";
export const replicationName = "clouddb_replication";
export const poolerName = "clouddb_pooler";

/** The function in the database `postgres` by which the pooler reads the verifier of a password. */
export const verifierOf = `${poolerName}.verifier_of`;

export type InternalRole = typeof superuserName | typeof replicationName | typeof poolerName;

/** The passwords of these roles. A role that knows its own cannot compute the others. */
export const passwordsFrom =
    (secret: string) =>
    (role: InternalRole): string =>
        createHmac("sha256", secret).update(role).digest("base64url");
