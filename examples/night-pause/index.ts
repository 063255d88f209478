/** Pauses one database at night and shrinks another. Run it on a schedule, with `mode` set to day or night. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const night = new pulumi.Config().get("mode") === "night";

// A paused service keeps its data and accepts no connections.
const testing = new clouddb.Service("testing", {
    cpuMillis: 1000,
    memoryGbs: 4,
    paused: night,
});

// A resize restarts the service.
const cpuMillis = night ? 500 : 2000;
const reports = new clouddb.Service("reports", { cpuMillis, memoryGbs: cpuMillis / 250 });

export const testingStatus = testing.status;
export const reportsSize = reports.cpuMillis;
