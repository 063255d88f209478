import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Service } from "../../sdk/nodejs";
import { protectedResources, startStack } from "../support/engine";

// What only the engine shows of its own options in TypeScript. tests/languages/refusedRuns.test.ts has them in YAML.

const protect = ({ props, opts }: { props: object; opts: CustomResourceOptions }) => ({
    props: { ...props, deletionProtection: true },
    opts: { ...opts, customTimeouts: { create: "7m" } },
});

test("transforms change inputs, and ignored changes stay", async () => {
    const stack = await startStack();
    const program =
        (replicaCount = 0) =>
        () => {
            new Service("transformed", {}, { transforms: [protect] });
            new Service("ignoring", { replicaCount }, { ignoreChanges: ["replicaCount"] });
        };
    await stack.up(program());
    stack.calls();
    expect((await stack.up(program(1))).operations).toEqual({ transformed: "same", ignoring: "same" });
    expect(stack.calls()).toEqual([]);
    // The options of the resource do not follow a transform.
    const { inputs, outputs } = await stack.state("transformed");
    expect(inputs).toMatchObject({ deletionProtection: true });
    expect(outputs.__record).not.toHaveProperty("timeouts");
    expect(await protectedResources(stack)).toEqual([]);
});
