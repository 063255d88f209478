import { newPort } from "./ids";
import type { Random } from "./random";
import type { Address, Dated, LogLine } from "./state";

/** The servers of services and read replica sets. */
export interface Servers {
    newAddress: (random: Random) => Address;
    /** Whether the server of a record, if it has one, has reached the state of the last step. That step waits for it. */
    isSettled: (record: Dated) => boolean;
    /** The log of the server, oldest line first. */
    logOf: (record: Dated) => LogLine[];
}

/** No servers: there are only records. */
export const noServers: Servers = {
    newAddress: (random) => ({ port: newPort(random) }),
    isSettled: () => true,
    logOf: () => [],
};
