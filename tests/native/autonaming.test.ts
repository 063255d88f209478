import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";

test("pulumi:autonaming names new resources, changes no existing name, and can require names", async () => {
    const stack = await startStack();
    const configure = (key: string, value: string) =>
        stack.pulumi("config", "set", "--path", `pulumi:autonaming.${key}`, value);
    const program = () => {
        new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
        const { serviceId } = new Service("orders");
        new ReadReplicaSet("copy", { serviceId, cpuMillis: 500 });
    };
    await configure("pattern", "${name}-of-${stack}");
    await configure('providers.clouddb.resources["clouddb:index:ReadReplicaSet"].mode', "verbatim");
    await stack.up(program);
    const { vpcs, services } = stack.emulator.snapshot();
    expect(vpcs).toMatchObject([{ name: "network-of-test" }]);
    expect(services).toMatchObject([{ name: "orders-of-test", read_replica_sets: [{ name: "copy" }] }]);

    await configure("pattern", "other-${hex(4)}");
    await configure('providers.clouddb.resources["clouddb:index:Service"].mode', "disabled");
    await stack.preview(undefined, { expectNoChanges: true });
    const { errors } = await failed(
        stack.preview(() => {
            program();
            new Service("second");
        }),
    );
    expect(errors).toEqual([expect.stringContaining("pulumi:autonaming")]);
});
