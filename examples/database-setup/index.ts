/** A database. Resource hooks create the role of the application, and apply the migrations of the schema. */
import { randomBytes } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";
import { migrationNames, setUp } from "./setup";

/** The id of a service to copy, for example in a stack for tests. */
const parent = new pulumi.Config().get("parent");

const orders = new clouddb.Service("orders", {
    cpuMillis: 500,
    memoryGbs: 2,
    sslMode: "verify-full", // The connection string makes the driver verify the server.
    ...(parent && { fork: { serviceId: parent, strategy: "NOW" } }),
});

/** The state keeps the first value, encrypted. */
const password = new pulumi.Stash(
    "application-password",
    { input: pulumi.secret(randomBytes(24).toString("base64url")) },
    { ignoreChanges: ["input"] },
).output as pulumi.Output<string>;

const { host, port, databaseName } = orders;
export const applicationUrl = pulumi.secret(
    pulumi.interpolate`postgres://application:${password}@${host}:${port}/${databaseName}?sslmode=verify-full`,
);

const setUpDatabase = async () => setUp(await valueOf(orders.connectionString), await valueOf(password));

// A hook runs before the value is stored: if it fails, the next run repeats it. It never runs in a preview.
new pulumi.Stash(
    "setup",
    { input: { serviceId: orders.serviceId, migrations: migrationNames(), password } },
    { hooks: { beforeCreate: [setUpDatabase], beforeUpdate: [setUpDatabase] } },
);

export const serviceId = orders.serviceId;

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
    return new Promise((resolve) => void output.apply(resolve));
}
