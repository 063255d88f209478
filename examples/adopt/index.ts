/** Adopts a VPC and a database that were created manually, and keeps their properties. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

// If these resources are removed from the program, Pulumi removes them from the state and does not delete them.
const retained: pulumi.CustomResourceOptions = { retainOnDelete: true };

const network = new clouddb.Vpc(
    "network",
    { existingId: config.require("vpcId"), cidr: config.require("cidr"), regionCode: config.require("regionCode") },
    retained,
);

// The update sets the declared properties. Other properties, such as the size, keep their values.
const orders = new clouddb.Service(
    "orders",
    { existingId: config.require("serviceId"), vpcId: network.vpcId },
    retained,
);

/** All services of the project: candidates for an adoption. */
export const services = clouddb
    .getServicesOutput()
    .apply((all) => all.map(({ name, serviceId, status }) => `${serviceId} ${name} ${status}`));
export const size = orders.cpuMillis;
