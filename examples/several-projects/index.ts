/** The same database in several projects of the platform, one for each stage, from one program. */
import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

/** What differs between the stages. */
interface Stage {
    projectId: string;
    cpuMillis: number;
    replicaCount?: number;
}

const stages = new pulumi.Config().requireObject<Record<string, Stage>>("stages");

const databases = Object.entries(stages).map(([stage, { projectId, cpuMillis, replicaCount = 0 }]) => {
    const network = new clouddb.Vpc(`${stage}-network`, { projectId, cidr: "10.0.0.0/20", regionCode: "us-east-1" });
    const service = new clouddb.Service(`${stage}-orders`, {
        projectId,
        regionCode: "us-east-1",
        cpuMillis,
        memoryGbs: cpuMillis / 250,
        replicaCount,
        vpcId: network.vpcId,
    });
    return [stage, service.host] as const;
});

export const hosts = Object.fromEntries(databases);
