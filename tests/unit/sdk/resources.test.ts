import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "../../../sdk";

/** The value of an output of a resource that was just made. */
function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
    return (output as unknown as { promise: () => Promise<T> }).promise();
}

beforeEach(async () => {
    const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({
        id: name,
        state: inputs as Record<string, unknown>,
    });
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false);
});

test("what a peering and its activation were given can be read from them", async () => {
    const peering = new clouddb.Peering("office", {
        vpcId: "41",
        peerAccountId: "123456789012",
        peerRegionCode: "us-east-1",
        peerVpcId: "vpc-1",
        waitFor: "provisioned",
    });
    await expect(valueOf(peering.waitFor)).resolves.toBe("provisioned");
    await expect(valueOf(peering.vpcId)).resolves.toBe("41");

    const active = new clouddb.PeeringActivation("office", { projectId: "project001", vpcId: "41", peeringId: "7" });
    await expect(valueOf(active.projectId)).resolves.toBe("project001");
    await expect(valueOf(active.vpcId)).resolves.toBe("41");
    await expect(valueOf(active.peeringId)).resolves.toBe("7");
});
