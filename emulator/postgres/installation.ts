import type { Binaries } from "./binaries";
import type { ServerUser } from "./user";

/** What all servers of an emulator have in common. */
export interface Installation {
    binaries: Binaries;
    user: ServerUser;
    /** Holds the folders of the servers. */
    data: string;
    /** Of the role `postgres`, which only the emulator uses. */
    superuserPassword: string;
    certificateFile: string;
    keyFile: string;
    log: (line: string) => void;
}

export const SUPERUSER = "postgres";
export const ROLE = "tsdbadmin";
export const DATABASE = "tsdb";
