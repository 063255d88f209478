import { ComponentResource, rootStackResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { protectedResources, startStack } from "../support/engine";

// What only the engine shows of its own options in TypeScript. tests/languages/refusedRuns.test.ts has them in YAML.

const protect = ({ props, opts }: { props: object; opts: CustomResourceOptions }) => ({
    props: { ...props, deletionProtection: true },
    opts: { ...opts, customTimeouts: { create: "7m" } },
});
const service = (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}) =>
    new Service(name, args, opts);

test("transforms change inputs, ignored changes stay, and a generated name survives a new name and a new parent", async () => {
    const stack = await startStack();
    const idOf = async (name: string) => (await stack.state(name)).id;
    await stack.up(() => {
        service("transformed", {}, { transforms: [protect] });
        service("ignoring", {}, { ignoreChanges: ["replicaCount"] });
        service("before");
        service("child");
    });
    const [before, child] = [await idOf("before"), await idOf("child")];
    stack.calls();

    const { operations } = await stack.up(() => {
        const shop = new ComponentResource("shop:Shop", "shop");
        service("transformed", {}, { transforms: [protect] });
        service("ignoring", { replicaCount: 1 }, { ignoreChanges: ["replicaCount"] });
        service("after", { replicaCount: 1 }, { aliases: [{ name: "before" }] });
        service("child", {}, { parent: shop, aliases: [{ parent: rootStackResource }] });
    });

    expect(operations).toMatchObject({ transformed: "same", ignoring: "same", after: "update" });
    expect(stack.calls()).toEqual(["setHA"]);
    expect([await idOf("after"), await idOf("child")]).toEqual([before, child]);
    // The options of the resource do not follow a transform.
    const { inputs, outputs } = await stack.state("transformed");
    expect(inputs).toMatchObject({ deletionProtection: true });
    expect(outputs.__record).not.toHaveProperty("timeouts");
    expect(await protectedResources(stack)).toEqual([]);
});
