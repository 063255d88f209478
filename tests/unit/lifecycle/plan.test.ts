import { unknown } from "../../../provider/base/fields";
import { lifecycles } from "../../support/lifecycles";

const { ReadReplicaSet, Service } = lifecycles;
const projectId = "emulator01";

describe("the preview of a creation lists every step, whatever is unknown", () => {
    it("of a read replica set whose service is unknown", () => {
        const declared = {
            projectId,
            name: "copy",
            cpuMillis: 500,
            connectionPooler: true,
            environment: "PROD",
        } as const;
        expect(ReadReplicaSet.describeCreation({ ...declared, serviceId: unknown })).toEqual([
            'create read replica set "copy" of service (known after apply): 1 x 500m/2GB',
            "connection pooler on",
            "environment none -> PROD",
        ]);
    });

    it("of a fork whose parent is unknown", () => {
        const fork = { serviceId: unknown, strategy: "NOW" } as never;
        const declared = { projectId, name: "copy", password: "long-enough", replicaCount: 1, connectionPooler: true };
        expect(Service.describeCreation({ ...declared, fork })).toEqual([
            'fork (known after apply) (NOW) as service "copy": DEV',
            "set the password",
            "HA replicas none -> 1 async",
            "connection pooler on",
        ]);
    });

    it("of a service whose project, region and addons are unknown", () => {
        const declared = { name: "orders", password: "long-enough", vpcId: "41" };
        const missing = { projectId: unknown, regionCode: unknown, addons: unknown } as const;
        expect(Service.describeCreation({ ...declared, ...missing })).toEqual([
            'create service "orders": DEV, in (known after apply)',
            "set the password",
            "attach to VPC 41",
        ]);
    });
});
