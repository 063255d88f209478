/** Replaces the database of an application by a fork. README.md shows the steps, each a line of the stack configuration. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
/** The connection strings make the driver verify the server. */
const sslMode = "verify-full";
const databases: Partial<Record<string, clouddb.Service>> = {};

if (!config.getBoolean("removeOrders")) {
    databases.orders = new clouddb.Service("orders", {
        cpuMillis: 500,
        memoryGbs: 2,
        sslMode,
        deletionProtection: config.getBoolean("protectOrders") ?? true,
    });
}

const forkOf = config.get("forkOf");
if (forkOf !== undefined) {
    databases.copy = new clouddb.Service("copy", {
        // The id, not `databases.orders.serviceId`: this line must not change when the old database is removed.
        // To restore, use { serviceId: forkOf, strategy: "PITR", targetTime: "2026-01-31T12:00:00Z" }.
        fork: { serviceId: forkOf, strategy: "NOW" },
        cpuMillis: 1000,
        memoryGbs: 4,
        sslMode,
        deletionProtection: config.getBoolean("protectCopy") ?? true,
    });
}

// The switch: the application reads only this output.
const current = databases[config.get("current") ?? "orders"];

export const ordersId = databases.orders?.serviceId;
export const copyUrl = databases.copy?.connectionString;
export const connectionString = current?.connectionString;
