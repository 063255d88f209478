/** Creates a database with production data for a pull request. Each pull request has its own stack. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

const database = new clouddb.Service("preview", {
    name: `preview-${pulumi.getStack()}`,
    // The last snapshot is available immediately, and the fork does not load the production database.
    fork: { serviceId: config.require("productionServiceId"), strategy: "LAST_SNAPSHOT" },
    // The fork can be smaller than the production database.
    cpuMillis: 500,
    memoryGbs: 2,
    environment: "DEV",
    sslMode: "verify-full", // The connection string makes the driver verify the server.
});

export const serviceId = database.serviceId;
export const connectionString = database.connectionString;
