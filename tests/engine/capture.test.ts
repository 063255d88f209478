import * as pulumi from "@pulumi/pulumi";
import { ReadReplicaSet, Service } from "../../sdk/nodejs";
import { startStack } from "../support/engine";

// tests/unit/sdk/capture.test.ts has each output of each resource.

test("a dynamic provider of the program captures outputs and whole resources, and takes the size of a service for a set", async () => {
    const stack = await startStack();
    await stack.up(() => {
        const orders = new Service("orders", { cpuMillis: 1000 });
        const { serviceId, cpuMillis, currentPassword: password } = orders;
        const reports = new ReadReplicaSet("reports", { serviceId, cpuMillis, password });
        const create = () => {
            const ofSet = [reports].map((one) => one.replicaSetId.get());
            return Promise.resolve({
                id: "seen",
                outs: { seen: [orders.serviceId.get(), orders.username.get(), ...ofSet] },
            });
        };
        class Seen extends pulumi.dynamic.Resource {
            declare readonly seen: pulumi.Output<string[]>;
        }
        return { seen: new Seen({ create }, "seen", { seen: undefined, after: reports.id }).seen };
    });
    const [orders, reports] = [await stack.state("orders"), await stack.state("reports")];
    const { seen } = await stack.outputs();
    expect(seen).toEqual([orders.id, "tsdbadmin", reports.id.split("/")[1]]);
    expect(reports.outputs).toMatchObject({ cpuMillis: 1000, memoryGbs: 4 });
});
