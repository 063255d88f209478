/** A database for production: in a network of its own, with two standbys, replicas to read from, and guarded. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const regionCode = "us-east-1";

const network = new clouddb.Vpc("network", { cidr: "10.20.0.0/20", regionCode });

// The other side has to accept; until it has, `pulumi up` waits and says for what.
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
    syncReplicaCount: 1, // A commit is on two machines before it is answered.
    vpcId: network.vpcId,
    readReplicas: {
        reports: { cpuMillis: 2000 },
        search: { cpuMillis: 1000, nodes: 2 },
    },
    // Stands in the way of destroy and of every replacement; `pulumi config set protect false` takes it away.
    deletionProtection: config.getBoolean("protect") ?? true,
});

export const peeringStatus = application.status;
export const connectionString = orders.connectionString;
export const hostInNetwork = orders.service.vpcHost;
export const reportsHost = orders.readReplicas.reports.host;
