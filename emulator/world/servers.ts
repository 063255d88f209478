import { newPort } from "./ids";
import type { LogLine } from "./logs";
import { hashPassword } from "./password";
import type { PasswordHash } from "./password";
import type { Random } from "./random";
import type { ReplicaSetRecord, ServiceRecord } from "./state";

/** Where a service or read replica set is reached. */
export interface Address {
    /** Undefined where no server runs: the API then returns a name that does not resolve. */
    host?: string | undefined;
    port: number;
}

/** What runs behind services and read replica sets. */
export interface Servers {
    newAddress: (random: Random) => Address;
    hashPassword: (password: string) => PasswordHash;
    /** Whether the server has reached the state that the last step leads to; that step waits for it. */
    isSettled: (record: ServiceRecord | ReplicaSetRecord) => boolean;
    /** What the server of a service has written, oldest first. */
    logOf: (service: ServiceRecord) => LogLine[];
}

/** Nothing runs: there are only records. */
export const noServers: Servers = {
    newAddress: (random) => ({ port: newPort(random) }),
    hashPassword,
    isSettled: () => true,
    logOf: () => [],
};
