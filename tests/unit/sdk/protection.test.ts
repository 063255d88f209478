import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { mockEngine } from "../../support/mocks";

// Pulumi's public types leave out this function.
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs: () => Promise<void> };

beforeEach(() => mockEngine());
afterEach(async () => {
    await waitForRPCs();
    pulumi.runtime.setAllConfig({});
});

/** Whether the resource has Pulumi's `protect` option. */
const isProtected = (resource: pulumi.Resource) => Reflect.get(resource, "__protect") === true;

const vpc = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };

describe.each([
    ["pulumi-clouddb", dynamic],
    ["pulumi-clouddb/native", native],
])("the protect option of %s", (_, { Service, Vpc }) => {
    it.each<[string, dynamic.ServiceArgs, pulumi.CustomResourceOptions, boolean]>([
        ["is set by default", {}, {}, true],
        ["follows the input", { deletionProtection: false }, {}, false],
        ["is not set while the input is not known", { deletionProtection: pulumi.output(true) }, {}, false],
        ["is that of the program, if it is false", {}, { protect: false }, false],
        ["is that of the program, if it is true", { deletionProtection: false }, { protect: true }, true],
        ["is not needed with retainOnDelete", {}, { retainOnDelete: true }, false],
    ])("%s", (_reason, args, opts, expected) => {
        expect(isProtected(new Service("orders", args, opts))).toBe(expected);
    });

    it.each([
        ["false", false],
        ["true", true],
        // The provider reports it.
        ["no", false],
    ])("follows the configuration %s of a stack, and first the input", (config, expected) => {
        pulumi.runtime.setAllConfig({ "clouddb:deletionProtection": config });
        expect(isProtected(new Service("orders"))).toBe(expected);
        expect(isProtected(new Service("kept", { deletionProtection: true }))).toBe(true);
    });

    it("is set for a resource without data only if the program asks for it", () => {
        expect(isProtected(new Vpc("net", vpc))).toBe(false);
        expect(isProtected(new Vpc("kept", { ...vpc, deletionProtection: true }))).toBe(true);
    });

    it("is not set by .get", () => {
        expect(isProtected(Service.get("orders", "abc"))).toBe(false);
    });
});

describe("the protect option of a service with an explicit provider", () => {
    it.each<[string, native.ProviderArgs, boolean]>([
        ["true", { deletionProtection: true }, true],
        ["false", { deletionProtection: false }, false],
        ["an output", { deletionProtection: pulumi.output(true) }, false],
    ])("follows that provider, whose deletionProtection is %s, and not the configuration", (_, args, expected) => {
        pulumi.runtime.setAllConfig({ "clouddb:deletionProtection": String(!expected) });
        const provider = new native.Provider("p", args);
        expect(isProtected(new native.Service("orders", {}, { provider }))).toBe(expected);
        const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [provider] });
        expect(isProtected(new native.Service("orders", {}, { parent }))).toBe(expected);
        expect(isProtected(new native.Service("kept", { deletionProtection: true }, { provider }))).toBe(true);
    });

    it("is set if the provider does not declare it", () => {
        pulumi.runtime.setAllConfig({ "clouddb:deletionProtection": "false" });
        const provider = new native.Provider("p", {});
        expect(isProtected(new native.Service("orders", {}, { provider }))).toBe(true);
    });
});

test("a component protects its service like any other, and its replica sets only if the program asks for it", () => {
    const database = (opts: pulumi.ComponentResourceOptions) => {
        const { service, readReplicas } = new dynamic.ProductionDatabase(
            "main",
            { cpuMillis: 500, readReplicas: { reports: {} } },
            opts,
        );
        return [service, ...Object.values(readReplicas)].map(isProtected);
    };
    expect([database({}), database({ protect: true }), database({ protect: false })]).toEqual([
        [true, false],
        [true, true],
        [false, false],
    ]);
});
