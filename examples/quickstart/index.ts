/**
 * A highly available database in its own VPC, with a read replica for reports.
 *
 * Run it with `npm run quickstart`, change a value, and run it again. `npm run quickstart -- preview` shows the changes.
 */
import * as clouddb from "pulumi-clouddb";

// A private network. An attached service can be reached only from this network.
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });

// Connects the VPC to a network of your own cloud account. Pulumi waits until the peering is active.
const peering = new clouddb.Peering("office", {
    vpcId: network.vpcId,
    peerAccountId: "123456789012",
    peerRegionCode: "us-east-1",
    peerVpcId: "vpc-0a1b2c3d4e5f67890",
});

// Try another size (500, 2000, 4000 …). The service is resized in place.
const cpuMillis = 1000;

const orders = new clouddb.Service("orders", {
    addons: ["time-series"],
    regionCode: "us-east-1",
    cpuMillis,
    memoryGbs: cpuMillis / 250, // Each size has 1 GB for 250 millicores.
    replicaCount: 1, // An HA replica that takes over when the primary fails.
    vpcId: network.vpcId,
    environment: "PROD",
    connectionPooler: true,
});

// A read replica, so that reports do not slow down the database.
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
export const connectionString = orders.connectionString; // A secret, hidden by default.
export const reportsHost = reports.host;
