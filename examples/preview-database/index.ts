/** A database of its own for each pull request, with the data of production; its stack is the pull request. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

const database = new clouddb.Service("preview", {
    name: `preview-${pulumi.getStack()}`,
    // The last snapshot is there at once and costs production nothing.
    fork: { serviceId: config.require("productionServiceId"), strategy: "LAST_SNAPSHOT" },
    // Small, whatever size production has.
    cpuMillis: 500,
    memoryGbs: 2,
    environment: "DEV",
});

export const serviceId = database.serviceId;
export const connectionString = database.connectionString;
