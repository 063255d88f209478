import type { Wire } from "../wire";
import type { Address, ServiceRecord } from "./state";

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

/** The endpoints of a service, or of a replica set of this service. */
export function endpointsOf(
    { host, id, pooler, port: ownPort }: Address & { id: string; pooler: boolean },
    { movingEndpoints, projectId, values: { vpcId } }: Pick<ServiceRecord, "movingEndpoints" | "projectId" | "values">,
): { endpoint: Wire["Endpoint"]; connection_pooler?: Wire["ConnectionPooler"] } {
    // Those of a server never move.
    const isMoved = movingEndpoints && host === undefined && vpcId !== null;
    const name = `${id}.${projectId}${isMoved ? `.${vpcId}` : ""}`;
    const port = isMoved ? ownPort + 1 : ownPort;
    const poolerEndpoint = endpointOf({ host, port: poolerPortOf(port) }, `${name}.pooler`);
    return {
        endpoint: endpointOf({ host, port }, name),
        ...(pooler && { connection_pooler: { endpoint: poolerEndpoint } }),
    };
}
