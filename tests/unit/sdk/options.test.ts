import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { mockEngine, valueIn } from "../../support/mocks";

// Pulumi's public types leave out this function.
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs: () => Promise<void> };

type Options = pulumi.CustomResourceOptions & pulumi.ComponentResourceOptions;

let warnings: string[] = [];

beforeEach(async () => {
    await mockEngine();
    warnings = [];
    jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
        warnings.push(text);
        return Promise.resolve();
    });
});
afterEach(async () => {
    await waitForRPCs();
    jest.restoreAllMocks();
    pulumi.runtime.setAllConfig({});
});

const group = (opts: pulumi.ComponentResourceOptions = {}) => new pulumi.ComponentResource("a:b:C", "group", {}, opts);
const ofPlugin = () => new native.Provider("other", { projectId: "theirs", accessToken: "t" });
const ofPulumi = () => new (class extends pulumi.ProviderResource {})("pulumi-nodejs", "host");

type Outcome = "passes" | "warning" | "error";

/**
 * What a class of the dynamic provider does with each option. Pulumi or the engine carries out those that pass. A warning is
 * about one without effect, and an error about one whose effect would be missed in a database.
 */
const decisions: Readonly<Record<keyof Options, readonly [outcome: Outcome, value: () => unknown]>> = {
    additionalSecretOutputs: ["passes", () => ["host"]],
    aliases: ["passes", () => [{ name: "old" }]],
    customTimeouts: ["warning", () => ({ create: "1h", read: "1m" })],
    deleteBeforeReplace: ["passes", () => true],
    deletedWith: ["passes", () => group()],
    dependsOn: ["passes", () => [group()]],
    // The engine refuses it.
    envVarMappings: ["passes", () => ({ OTHER: "CLOUDDB_ACCESS_TOKEN" })],
    hideDiffs: ["passes", () => ["name"]],
    hooks: ["passes", () => ({})],
    id: ["passes", () => "abcdefghij"],
    ignoreChanges: ["passes", () => ["cpuMillis"]],
    import: ["error", () => "abcdefghij"],
    parent: ["passes", () => group()],
    pluginDownloadURL: ["warning", () => "https://downloads.example.com"],
    protect: ["passes", () => false],
    provider: ["error", ofPlugin],
    providers: ["error", () => [ofPlugin()]],
    replaceOnChanges: ["error", () => ["name"]],
    replaceWith: ["passes", () => [group()]],
    replacementTrigger: ["passes", () => 1],
    retainOnDelete: ["passes", () => true],
    transformations: ["passes", () => []],
    transforms: ["passes", () => []],
    urn: ["passes", () => valueIn(new dynamic.Service("first").urn)],
    version: ["warning", () => "1.2.3"],
};

test.each(Object.entries(decisions))("the option %s of a dynamic class: %j", async (option, [outcome, value]) => {
    const opts = { [option]: await value() };
    const create = () => new dynamic.Service("orders", {}, opts);
    if (outcome === "error") {
        expect(create).toThrow(/Service "orders"/);
    } else {
        create();
    }
    expect(warnings).toEqual(outcome === "warning" ? [expect.stringContaining("has no effect")] : []);
});

// Pulumi itself refuses `providers` of a resource.
const refusedOrWarned = Object.entries(decisions).filter(
    ([option, [outcome]]) => outcome !== "passes" && option !== "providers",
);

test.each(refusedOrWarned)("the option %s of a class of the plugin has its effect", async (option, [, value]) => {
    new native.Service("orders", {}, { [option]: await value() });
    expect(warnings).toEqual([]);
});

describe("a provider of the plugin", () => {
    const args = { cpuMillis: 500, readReplicas: { reports: {} } };

    test.each<[string, () => Options]>([
        ["provider", () => ({ provider: ofPlugin() })],
        ["providers", () => ({ providers: [ofPlugin()] })],
        ["providers by name", () => ({ providers: { clouddb: ofPlugin() } })],
    ])(
        "as %s of a dynamic class or component is refused, with the import to write, and has its effect on those of the plugin",
        (_, opts) => {
            const imports = (name: string) => `import { ${name} } from "pulumi-clouddb/native"`;
            const vpc = { cidr: "10.0.0.0/21", regionCode: "us-east-1" };
            expect(() => new dynamic.Vpc("net", vpc, opts())).toThrow(imports("Vpc"));
            expect(() => new dynamic.ProductionDatabase("main", args, opts())).toThrow(imports("ProductionDatabase"));
            new native.ProductionDatabase("main", args, opts());
            expect(warnings).toEqual([]);
        },
    );

    test.each<[string, Record<string, string>, { projectId?: pulumi.Input<string> }, string]>([
        ["the project of the stack", { "clouddb:projectId": "ours" }, {}, 'project "ours"'],
        ["the project that it declares", { "clouddb:projectId": "ours" }, { projectId: "its" }, 'project "its"'],
        [
            "no project that only outputs know",
            {},
            { projectId: pulumi.secret("hidden") },
            "the project that it declares",
        ],
    ])("of a parent is a warning of each dynamic class, which names %s", (_, config, ofProject, project) => {
        pulumi.runtime.setAllConfig(config);
        const opts = { parent: group({ providers: [ofPlugin()] }) };
        new dynamic.ProductionDatabase("main", { ...args, ...ofProject }, opts);
        new dynamic.Service("orders", ofProject, opts);
        expect(warnings).toHaveLength(3);
        expect(warnings[0]).toContain(`import { Service } from "pulumi-clouddb/native"`);
        expect(warnings[1]).toContain(`import { ReadReplicaSet } from "pulumi-clouddb/native"`);
        expect(warnings[2]).toContain(project);
        warnings = [];
        new native.Service("plugin", {}, opts);
        expect(warnings).toEqual([]);
    });
});

test("a provider of Pulumi's own host of dynamic providers is allowed", () => {
    new dynamic.Service("orders", {}, { provider: ofPulumi() });
    new dynamic.ProductionDatabase("main", { cpuMillis: 500 }, { providers: [ofPulumi()] });
    expect(warnings).toEqual([]);
});

describe.each([
    ["pulumi-clouddb", dynamic],
    ["pulumi-clouddb/native", native],
])("a deletionProtection that the program declares and ignores, with %s", (_, { Service, ProductionDatabase }) => {
    test.each(["*", "deletionProtection", '["deletionProtection"]'])("as %s, is a warning", (path) => {
        const opts = { ignoreChanges: ["cpuMillis", path] };
        new Service("orders", { deletionProtection: false }, opts);
        new ProductionDatabase("main", { cpuMillis: 500, deletionProtection: false }, opts);
        const expected = expect.stringMatching(/deletionProtection has no effect.*ignoreChanges/s) as string;
        expect(warnings).toEqual([expected, expected]);
    });

    test("is no warning if only one of them is there", () => {
        new Service("orders", { deletionProtection: false }, { ignoreChanges: ["cpuMillis"] });
        new Service("bills", {}, { ignoreChanges: ["*"] });
        expect(warnings).toEqual([]);
    });
});
