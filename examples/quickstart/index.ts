/**
 * A database that survives the loss of a machine, in a network of its own, with a read replica for reports.
 *
 * Run it with `npm run quickstart`, change a number, and run it again: the preview says what will happen before it does.
 */
import * as clouddb from "pulumi-clouddb";

// A private network; what is attached to it can be reached from inside only.
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });

// Links it to a network of your own cloud account. Pulumi waits until the link is active.
const peering = new clouddb.Peering("office", {
    vpcId: network.vpcId,
    peerAccountId: "123456789012",
    peerRegionCode: "us-east-1",
    peerVpcId: "vpc-0a1b2c3d4e5f67890",
});

// The thing to try: another size (500, 2000, 4000 …). The service is resized in place.
const cpuMillis = 1000;

const orders = new clouddb.Service("orders", {
    addons: ["time-series"],
    regionCode: "us-east-1",
    cpuMillis,
    memoryGbs: cpuMillis / 250, // Every size on offer has 1 GB for 250 millicores.
    replicaCount: 1, // A standby that takes over when the primary fails.
    vpcId: network.vpcId,
    environment: "PROD",
    connectionPooler: true,
});

// A copy to read from, so that reports do not slow down orders.
const reports = new clouddb.ReadReplicaSet("reports", {
    serviceId: orders.serviceId,
    nodes: 1,
    cpuMillis: 500,
    memoryGbs: 2,
});

export const vpcId = network.vpcId;
export const peeringStatus = peering.status;
export const host = orders.host;
export const port = orders.port;
export const connectionString = orders.connectionString; // A secret: shown only when asked for.
export const reportsHost = reports.host;
