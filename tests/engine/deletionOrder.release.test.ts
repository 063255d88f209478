import type { CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type Program, type TestStack } from "../support/engine";
import { deleteOrphan, orphansOf } from "../support/remedies";

// Pulumi deletes what depends on nothing last, even if the API requires it first. The remedies in the error are carried out.

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
});
const regionCode = "us-east-1";
const inVpc = (): Service => {
    const { vpcId } = new Vpc("network", { cidr: "10.0.0.0/21", regionCode });
    return new Service("orders", { vpcId, regionCode });
};
const size = { cpuMillis: 500 };
/** A read replica set with a plain id, from which Pulumi does not know that it belongs to a service of the program. */
const plain = async (optionsOf: (service: Service) => CustomResourceOptions = () => ({})): Promise<Program> => {
    if ((await stack.entries("orders")).length === 0) {
        await stack.up(inVpc);
    }
    const { id: serviceId } = await stack.state("orders");
    return () => {
        new ReadReplicaSet("reports", { serviceId, ...size }, optionsOf(inVpc()));
    };
};
const expectEmpty = () => expect(stack.emulator.snapshot()).toMatchObject({ services: [], vpcs: [] });
const refused = async () => {
    stack.calls();
    const { errors } = await failed(stack.destroy());
    // A read shows the obstacle, so the request is not repeated.
    expect(stack.calls()).toEqual(["deleteService"]);
    expect(errors).toEqual([expect.stringMatching(/deleteService was rejected: it has read replica set "reports-/)]);
    return errors.join();
};

test("a read replica set with a plain id is deleted by the command in the error", async () => {
    await stack.up(await plain());
    expect(await refused()).toContain(
        "Delete each read replica set first: `pulumi destroy --target 'URN'`, with the URN from `pulumi stack --show-urns`",
    );
    await stack.destroy({ target: [(await stack.state("reports")).urn] });
    await stack.destroy();
    expectEmpty();
});

test("a read replica set with a plain id and dependsOn is deleted first, also if it gets the option later", async () => {
    await stack.up(await plain());
    await stack.up(await plain((service) => ({ dependsOn: service })));
    await stack.destroy();
    expectEmpty();
});

test("deletedWith: a read replica set that Pulumi has removed from the state only is deleted by the command in the message", async () => {
    await stack.up(await plain((service) => ({ deletedWith: service })));
    const message = await refused();
    expect(await stack.entries("reports")).toEqual([]);
    expect(message).toContain(
        "`pulumi stack export | npx clouddb-orphans --delete-commands -` prints commands; run only that of each one named above",
    );
    await deleteOrphan(stack, await orphansOf(stack));
    await stack.destroy();
    expectEmpty();
});
