import schema from "../../../provider/hosts/native/schema.gen.json";
import type { Field } from "../../../provider/base/fields";
import { sizeNames } from "../../../provider/base/size";
import { untypedResources, type ResourceType } from "../../../provider/resources";
import { untypedKinds } from "../../support/cases";
import { filesBelow, read } from "../../support/documents";
import { lifecycles } from "../../support/lifecycles";

interface Property {
    readonly description?: string;
    readonly secret?: boolean;
    readonly willReplaceOnChanges?: boolean;
}

type Properties = Readonly<Record<string, Property>>;

const component = "clouddb:index:ProductionDatabase";
const declared = Object.entries(schema.resources as Readonly<Record<string, Resource>>);
const resources = declared.filter(([token]) => token !== component);

interface Resource {
    readonly description: string;
    readonly properties: Properties;
    readonly inputProperties: Properties;
}

const namesOf = (properties: Properties, condition: (property: Property) => unknown) =>
    Object.entries(properties).flatMap(([name, property]) => (condition(property) ? [name] : []));

test("the schema contains each resource with its inputs and outputs", () => {
    expect(resources.map(([token]) => token).sort()).toEqual(
        Object.keys(lifecycles)
            .map((type) => `clouddb:index:${type}`)
            .sort(),
    );
    for (const [token, { inputProperties, properties }] of resources) {
        const { resource } = lifecycles[token.split(":")[2] as keyof typeof lifecycles];
        expect(Object.keys(inputProperties).sort()).toEqual(Object.keys(resource.fields).sort());
        expect(Object.keys(properties).sort()).toEqual(Object.keys(resource.outputs).sort());
    }
});

test("the schema contains the component with the inputs of its service, its defaults and plain replica sets", () => {
    const { [component]: database, "clouddb:index:Service": service, ...others } = schema.resources;
    expect(database).toMatchObject({ isComponent: true, requiredInputs: ["cpuMillis"] });
    expect(Object.values({ service, ...others }).filter((one) => "isComponent" in one)).toEqual([]);
    expect(Object.keys(database.inputProperties).sort()).toEqual(
        [...Object.keys(service.inputProperties), "readReplicas"].sort(),
    );
    expect(database.inputProperties.environment.description).toContain('Default: "PROD".');
    expect(database.inputProperties.replicaCount.description).toContain("Default: 1.");
    expect(database.inputProperties.readReplicas.plain).toBe(true);
    const { "clouddb:index:ReadReplicaSet": set } = schema.resources;
    const { projectId, serviceId, password, ...own } = set.inputProperties;
    expect([projectId, serviceId, password]).not.toContain(undefined);
    expect(Object.keys(schema.types["clouddb:index:ReadReplica"].properties).sort()).toEqual(Object.keys(own).sort());
});

const described: readonly [string, { readonly description: string }][] = [
    ["provider", schema.provider],
    ...declared,
    // Those that a list or a resource of the API implies have none.
    ...Object.entries(schema.functions).filter(([, { description }]) => description.includes("{{% examples")),
];

test.each(described)("%s has an example in each language in the schema", (_, { description }) => {
    const [, examples = ""] = /^\{\{% examples %\}\}\n(.*)^\{\{% \/examples %\}\}$/ms.exec(description) ?? [];
    expect(examples).toMatch(/^## Example Usage\n\{\{% example %\}\}\n### .+\n/);
    const languages = [...examples.matchAll(/^```(\w+)\n.+?^```$/gms)].map(([, language]) => language);
    expect(languages).toEqual(["typescript", "python", "go", "yaml", "java"]);
});

test("the default of deletionProtection names the kinds whose deletion loses data, and says that the others have none", () => {
    const nouns = Object.values(untypedResources).flatMap(({ hasData, noun }) => (hasData ? [noun] : []));
    for (const { inputProperties } of resources.map(([, one]) => one)) {
        const { description = "" } = inputProperties.deletionProtection ?? {};
        const [, named] = /Default: for a ([a-z ]+) `clouddb:deletionProtection`/.exec(description) ?? [];
        expect([description === "", named?.split(" or a ")]).toEqual(
            inputProperties.deletionProtection === undefined ? [true, undefined] : [false, nouns],
        );
    }
});

test("inputs accept the values of an enumeration as plain strings, and outputs are enumerations", () => {
    const enumeration = (name: string) => ({ $ref: `#/types/clouddb:index:${name}` });
    const orString = (name: string) => ({ type: "string", oneOf: [{ type: "string" }, enumeration(name)] });
    const { "clouddb:index:Service": service, "clouddb:index:ReadReplicaSet": set } = schema.resources;
    const { "clouddb:index:Peering": peering } = schema.resources;
    expect(service.inputProperties.environment).toMatchObject(orString("Environment"));
    expect(set.inputProperties.environment).toMatchObject(orString("Environment"));
    expect(peering.inputProperties.waitFor).toMatchObject(orString("WaitFor"));
    expect(schema.types["clouddb:index:Fork"].properties.strategy).toMatchObject(orString("ForkStrategy"));
    // A list of unions has no convenient form in Java. The output fits the input of another service.
    expect(service.inputProperties.addons.items).toEqual({ type: "string" });
    expect(service.properties.addons.items).toEqual({ type: "string" });
    expect(Object.keys(schema.types)).toContain("clouddb:index:Addon");
    expect(peering.properties.waitFor).toMatchObject(enumeration("WaitFor"));
});

/** The inputs with an enumeration, also in objects, and its values. That of a list is in the output. */
const enumerations = resources.flatMap(([token, { inputProperties, properties }]) => {
    const types = schema.types as Readonly<Record<string, { enum?: { value: string }[]; properties?: Properties }>>;
    const typesOf = (property: unknown) =>
        [...JSON.stringify(property ?? {}).matchAll(/#\/types\/([^"]+)/g)].map(([, name = ""]) => types[name] ?? {});
    const rowsOf = (fields: object, all: Properties, others: Properties): (readonly [string, Field, string[]])[] =>
        Object.entries(fields as Record<string, Field>).flatMap(([name, field]) =>
            typesOf([all[name], others[name]]).flatMap(({ enum: values, properties: own }) => [
                ...(values ? [[name, field, values.map(({ value }) => value)] as const] : []),
                ...(own && field.properties ? rowsOf(field.properties, own, {}) : []),
            ]),
        );
    return rowsOf(untypedResources[token.split(":")[2] as ResourceType].fields, inputProperties, properties);
});

test.each(enumerations)(
    "the check of %s accepts the values of its enumeration, and no others",
    (_, { test }, values) => {
        const accepts = (value: unknown) => test(value) === undefined || test([value]) === undefined;
        expect(values.filter((value) => !accepts(value))).toEqual([]);
        expect(accepts("other")).toBe(false);
    },
);

test("a function returns no union itself: the plugin leaves out a size that is not a number", () => {
    const { "clouddb:index:ServiceInfo": info } = schema.types;
    expect(namesOf(info.properties, (one) => "oneOf" in one).sort()).toEqual([...sizeNames].sort());
    const results = Object.values(schema.functions).flatMap(({ outputs }) => Object.entries(outputs.properties));
    expect(results.filter(([, one]) => "oneOf" in one)).toEqual([]);
});

test("no function returns a union with an enumeration, which the SDK for Python rejects", () => {
    const typesIn = (value: unknown) => new Set(JSON.stringify(value).match(/(?<="#\/types\/)[^"]+/g));
    const results = Object.values(schema.functions).map(({ outputs }) => outputs);
    const ofInputs = typesIn(declared.map(([, { inputProperties }]) => inputProperties));
    const reached = typesIn(results);
    // The SDK for Python has the objects of inputs once more, for outputs, with plain strings.
    const types = Object.entries(schema.types).filter(([token]) => reached.has(token) && !ofInputs.has(token));
    expect(JSON.stringify([results, types])).not.toMatch(/"oneOf":\[\{"type":"string"\},\{"\$ref"/);
});

test.each(resources)("the secrets of %s are secret in the schema, and nothing else", (token, resource) => {
    const { secrets = [] } = untypedKinds[token.split(":")[2] as ResourceType];
    const { properties, inputProperties } = resource;
    const marked = [properties, inputProperties].flatMap((all) => namesOf(all, ({ secret }) => secret));
    expect([...new Set(marked)].sort()).toEqual([...secrets].sort());
});

test("the token is secret in the schema, and no other setting", () => {
    expect(namesOf(schema.config.variables, ({ secret }) => secret)).toEqual(["accessToken"]);
    expect(namesOf(schema.provider.inputProperties, ({ secret }) => secret)).toEqual(["accessToken"]);
});

test("the schema leaves each replacement to the provider, and sends no defaults that an adoption would apply", () => {
    const text = JSON.stringify(schema.resources);
    expect(text).not.toMatch(/"replaceOnChanges"|"default":/);
    expect(text).toContain('"willReplaceOnChanges":true');
});

test("the texts of the schema are correct in each language, and each type has one", () => {
    const texts = [...JSON.stringify(schema).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(
        ([, text = ""]) => text,
    );
    const withoutExamples = texts.map((text) => text.split("{{% examples")[0] ?? "");
    const ofTypeScript = /TypeScript|JavaScript|undefined|Throws|for await|iterator/i;
    expect(withoutExamples.filter((text) => ofTypeScript.test(text))).toEqual([]);
    const types = Object.entries<{ description?: string }>(schema.types);
    expect(types.filter(([, { description }]) => !description)).toEqual([]);
});

test.each([
    ["python/pulumi_clouddb", ".py", ["`deletion_protection`", '`wait_for="provisioned"`', "None without a pooler."]],
    ["go/clouddb", ".go", ["`DeletionProtection`", '`WaitFor: "provisioned"`', "Nil without a pooler."]],
])("the comments of %s have the names and words of the language", (sdk, suffix, words) => {
    const text = filesBelow(`sdk/${sdk}`, suffix).map(read).join("\n");
    expect(words.filter((one) => !text.includes(one))).toEqual([]);
    expect(text).not.toMatch(/`(cpuMillis|dependsOn)`|Undefined (if|until|in|without)|Absent/);
});
