/** A network and a database that somebody made by hand become part of a program, and stay as they are. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

// Forgotten instead of deleted when they leave the program, for as long as they are not really ours.
const careful: pulumi.CustomResourceOptions = { retainOnDelete: true };

const network = new clouddb.Vpc(
    "network",
    { existingId: config.require("vpcId"), cidr: config.require("cidr"), regionCode: config.require("regionCode") },
    careful,
);

// What is not said here, such as the size, stays as it was found; what is said is brought about.
const orders = new clouddb.Service(
    "orders",
    { existingId: config.require("serviceId"), vpcId: network.vpcId, deletionProtection: true },
    careful,
);

/** What else there is in the project: the candidates. */
export const services = clouddb
    .getServicesOutput()
    .apply((all) => all.map(({ name, serviceId, status }) => `${serviceId} ${name} ${status}`));
export const size = orders.cpuMillis;
