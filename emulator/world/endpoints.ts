import type { Wire } from "../wire";
import type { Address } from "./servers";

/** A domain for tests, whose names never resolve. */
const domain = "clouddb.test";
const poolerPortOffset = 10_000;

/** The port of a server's connection pooler. */
export const poolerPortOf = (port: number): number => port + poolerPortOffset;

/** An endpoint of a server, or of the emulator's domain if no server runs. */
export const endpointOf = ({ host, port }: Address, name: string): Required<Wire["Endpoint"]> => ({
    host: host ?? `${name}.${domain}`,
    port,
});

/** The connection pooler of a server, if it is enabled. */
export const poolerOf = (
    { host, port, pooler }: Address & { pooler: boolean },
    name: string,
): { connection_pooler?: Wire["ConnectionPooler"] } =>
    pooler ? { connection_pooler: { endpoint: endpointOf({ host, port: poolerPortOf(port) }, `${name}.pooler`) } } : {};
