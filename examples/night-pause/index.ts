/** A test database that is paused at night, and one that is small then. Run by a timer, with `mode` set to day or night. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const night = new pulumi.Config().get("mode") === "night";

// Paused: the data stays, nothing runs, no connection is possible.
const testing = new clouddb.Service("testing", {
    cpuMillis: 1000,
    memoryGbs: 4,
    paused: night,
});

// Smaller: a restart, and it goes on.
const cpuMillis = night ? 500 : 2000;
const reports = new clouddb.Service("reports", { cpuMillis, memoryGbs: cpuMillis / 250 });

export const testingStatus = testing.status;
export const reportsSize = reports.cpuMillis;
