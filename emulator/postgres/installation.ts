import type { Binaries } from "./binaries";
import type { ServerUser } from "./user";

/** The part that all servers of an emulator share. */
export interface Installation {
    binaries: Binaries;
    user: ServerUser;
    /** The parent of the servers' folders. */
    data: string;
    /** The password of the role `postgres`, which only the emulator uses. */
    superuserPassword: string;
    certificateFile: string;
    keyFile: string;
    log: (line: string) => void;
    /** Reports a failure or a warning. */
    report: (line: string) => void;
}

export const superuserName = "postgres";
