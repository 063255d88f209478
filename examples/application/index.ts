/** The database of an application. migrate.js updates its schema after `pulumi up`. */
import * as clouddb from "pulumi-clouddb";

const database = new clouddb.Service("orders", {
    cpuMillis: 500,
    memoryGbs: 2,
    sslMode: "verify-full", // The connection string makes the driver verify the server.
});

export const serviceId = database.serviceId;
export const connectionString = database.connectionString;
