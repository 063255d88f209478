// One resource of each kind with all fields and one with the required fields, a fork, a paused service and a component.
const { secret } = require("@pulumi/pulumi");
const clouddb = require("pulumi-clouddb");

const network = new clouddb.Vpc("network", {
    name: secret("upgrade-net"),
    cidr: "10.0.0.0/21",
    regionCode: "us-east-1",
});
new clouddb.Vpc("generated", { cidr: "10.8.0.0/21", regionCode: "us-east-1" });
const peering = new clouddb.Peering("peering", {
    vpcId: network.vpcId,
    peerAccountId: "123456789012",
    peerRegionCode: "us-east-1",
    peerVpcId: "vpc-0",
    waitFor: "provisioned",
});
new clouddb.PeeringActivation("activation", { vpcId: network.vpcId, peeringId: peering.peeringId });
const orders = new clouddb.Service(
    "orders",
    {
        name: "orders",
        cpuMillis: 2000,
        memoryGbs: 8,
        addons: ["time-series", "ai"],
        regionCode: "us-east-1",
        replicaCount: 2,
        syncReplicaCount: 1,
        environment: "PROD",
        connectionPooler: true,
        vpcId: network.vpcId,
        password: "the-password-of-the-orders",
        deletionProtection: true,
    },
    { customTimeouts: { create: "2h" } },
);
new clouddb.Service("small", {}, { aliases: [{ name: "former" }] });
new clouddb.Service("paused", { cpuMillis: 500, paused: true });
new clouddb.Service("copy", { fork: { serviceId: orders.serviceId, strategy: "NOW" } });
new clouddb.ReadReplicaSet("readers", {
    serviceId: orders.serviceId,
    name: "orders-readers",
    nodes: 2,
    cpuMillis: 1000,
    memoryGbs: 4,
    connectionPooler: true,
    environment: "PROD",
});
new clouddb.ProductionDatabase("ledger", {
    cpuMillis: 1000,
    memoryGbs: 4,
    vpcId: network.vpcId,
    readReplicas: { reports: { nodes: 1, cpuMillis: 500, memoryGbs: 2 } },
});
exports.connectionString = orders.connectionString;
exports.poolerHost = orders.poolerHost;
