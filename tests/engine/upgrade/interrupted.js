// Services whose last run did not complete, one for each kind of interruption. RUN is the run that record.mjs makes.
const clouddb = require("pulumi-clouddb");

const { RUN: run, ADOPTED: existingId } = process.env;
const connectionPooler = run === "first" ? undefined : true;

new clouddb.Service("updated", { connectionPooler });
if (run !== "first") {
    new clouddb.Service("created", { connectionPooler });
    new clouddb.Service("adopted", { existingId, connectionPooler });
}
if (run === "last" || run === undefined) {
    const create = run === "last" ? "3s" : "1h";
    exports.connectionString = new clouddb.Service("unseen", {}, { customTimeouts: { create } }).connectionString;
}
