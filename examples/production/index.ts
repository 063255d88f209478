/** A production database in its own VPC, with two HA replicas, read replicas and deletion protection. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const regionCode = "us-east-1";

const network = new clouddb.Vpc("network", { cidr: "10.20.0.0/20", regionCode });

// The other side must accept the peering. Until then, `pulumi up` waits and shows what it waits for.
const application = new clouddb.Peering(
    "application",
    {
        vpcId: network.vpcId,
        peerAccountId: config.require("peerAccountId"),
        peerRegionCode: regionCode,
        peerVpcId: config.require("peerVpcId"),
    },
    { customTimeouts: { create: "4h" } },
);

const orders = new clouddb.ProductionDatabase("orders", {
    regionCode,
    cpuMillis: 4000,
    replicaCount: 2,
    syncReplicaCount: 1, // PostgreSQL then makes a commit wait for a second copy.
    vpcId: network.vpcId,
    readReplicas: {
        reports: { cpuMillis: 2000 },
        search: { cpuMillis: 1000, nodes: 2 },
    },
});

export const peeringStatus = application.status;
export const connectionString = orders.connectionString;
export const hostInNetwork = orders.service.vpcHost;
export const replicaHosts = Object.values(orders.readReplicas).map(({ host }) => host);
