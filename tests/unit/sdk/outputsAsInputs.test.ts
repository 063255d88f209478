import generated from "../../../provider/hosts/native/schema.gen.json";
import { valueOf, type Field } from "../../../provider/base/fields";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { compiled } from "../../support/compiler";

// Each output and result of this package can be an input of this package with the same name.

type Spec = Partial<Record<"type" | "$ref", string>> & { items?: Spec; oneOf?: Spec[] };
/** Properties, inputs or results. */
interface Members {
    readonly properties?: Readonly<Record<string, Spec>>;
}
interface Owner extends Members {
    readonly inputProperties?: Readonly<Record<string, Spec>>;
    readonly outputs?: Members;
    readonly enum?: unknown;
}

const schema = generated as unknown as Record<"types" | "resources" | "functions", Readonly<Record<string, Owner>>>;
const ownerOf = (kind: keyof typeof schema, name: string): Owner => schema[kind][`clouddb:index:${name}`] ?? {};

/** The arguments in TypeScript, and in the schema. */
const receivers: readonly (readonly [type: string, inputs: Members])[] = [
    ...[...resourceTypes, "ProductionDatabase"].map((name) => {
        const { inputProperties: properties = {} } = ownerOf("resources", name);
        return [`${name}Args`, { properties }] as const;
    }),
    ["ReadReplicaArgs", ownerOf("types", "ReadReplica")],
];
/** Whether the API has it. There are functions that read it. */
const exists = (type: ResourceType) => untypedResources[type].operations.delete !== undefined;

/** A resource or the result of a function in TypeScript, and its outputs in the schema. */
const givers: readonly (readonly [value: string, outputs: Members])[] = [
    ...resourceTypes.map((type) => [`({} as native.${type})`, ownerOf("resources", type)] as const),
    ...resourceTypes.filter(exists).map((type) => {
        const { outputs = ownerOf("types", `${type}Info`) } = ownerOf("functions", `get${type}`);
        return [`({} as pulumi.Output<native.Get${type}Result>)`, outputs] as const;
    }),
];
const pairs = receivers.flatMap(([receiver, inputs]) =>
    givers.flatMap(([giver, outputs]) =>
        Object.entries(inputs.properties ?? {}).flatMap(([name, wanted]) => {
            const given = outputs.properties?.[name];
            return given === undefined ? [] : [{ receiver, giver, name, given, wanted }];
        }),
    ),
);

/** The alternatives of a type. A value of an enumeration is a string. */
const alternatives = ({ type = "", $ref = "", items, oneOf }: Spec): string[] =>
    oneOf?.flatMap(alternatives) ??
    (items ? alternatives(items).map((one) => `list of ${one}`) : [type || (isEnumeration($ref) ? "string" : $ref)]);
const isEnumeration = ($ref: string) => schema.types[$ref.replace("#/types/", "")]?.enum !== undefined;

test("each output and result is accepted as an input of the same name in TypeScript, unless it may be absent", () => {
    const sources = pairs.map(({ receiver, giver, name }) => `({} as native.${receiver}).${name} = ${giver}.${name};`);
    const failing = compiled(sources)
        .errors()
        .flatMap((codes, index) => (codes.length === 0 ? [] : [sources[index]]));
    const [ofService, ofResult] = ["native.Service", "pulumi.Output<native.GetServiceResult>"];
    const inVpc = resourceTypes.filter(
        (type) => (valueOf(untypedResources[type].fields, "vpcId") as Field | undefined)?.required,
    );
    const absent = inVpc.flatMap((type) =>
        [ofService, ofResult].map((giver) => `({} as native.${type}Args).vpcId = ({} as ${giver}).vpcId;`),
    );
    expect(failing).toEqual(absent);
});

test("the schema accepts each output and result as an input of the same name", () => {
    const failing = pairs.filter(({ given, wanted }) => {
        const accepted = alternatives(wanted);
        return alternatives(given).some((one) => !accepted.includes(one));
    });
    expect(failing).toEqual([]);
});
