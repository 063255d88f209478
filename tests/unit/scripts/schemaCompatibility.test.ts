import { satisfies } from "semver";
import { version } from "../../../package.json";
import generated from "../../../provider/hosts/native/schema.gen.json";
import { read } from "../../support/documents";

type TypeSpec = Partial<Record<"type" | "$ref", string>> & { items?: TypeSpec; oneOf?: TypeSpec[] };
type Properties = Record<string, TypeSpec>;

/** What programs use of a type, or of the inputs or outputs of a resource or function. */
interface Part {
    properties?: Properties | undefined;
    required?: string[] | undefined;
    enum?: { value: string }[];
    aliases?: { type: string }[];
    isInput?: boolean;
}

type Owner = Part & { inputProperties?: Properties; requiredInputs?: string[]; inputs?: Part; outputs?: Part };
type Schema = Record<"types" | "resources" | "functions", Record<string, Owner>> & {
    version: string;
    config: { variables: Properties };
    provider: Owner;
};

function partsOf({ config, provider, types, resources, functions }: Schema): Record<string, Part> {
    const settings = { config: { inputProperties: config.variables }, provider };
    const inputs = Object.entries<Owner>({ ...settings, ...resources, ...functions }).map(([name, one]) => {
        const { properties = one.inputProperties, required = one.requiredInputs } = one.inputs ?? {};
        return [`${name} input`, { properties, required, isInput: true }] as const;
    });
    const isInput = (name: string): boolean =>
        [...inputs, ...Object.entries<Part>(types)].some(
            ([by, one]) => JSON.stringify(one).includes(`"#/types/${name}"`) && (one.isInput ?? isInput(by)),
        );
    const outputs = Object.entries({ ...types, ...resources, ...functions }).map(
        ([name, one]) => [name, { ...(one.outputs ?? one), isInput: isInput(name) }] as const,
    );
    return Object.fromEntries<Part>([...inputs, ...outputs]);
}

/** What a program for the older schema may miss in the newer one. */
const incompatibilities = (older: Schema, newer: Schema): string[] =>
    each(partsOf(older), partsOf(newer), (owner, before, after) => {
        const [nowRequired, noLonger] = [
            without(after.required, before.required),
            without(before.required, after.required),
        ];
        const lines = [
            ...each(before.properties, after.properties, (name, type, now) =>
                typeOf(type) === typeOf(now) || (before.isInput && isWidened(type, now))
                    ? []
                    : [`${name} has another type`],
            ),
            ...(before.isInput ? nowRequired : []).map((name) => `${name} is now required`),
            ...(owner.endsWith(" input") ? [] : noLonger).map((name) => `${name} may now be absent`),
            ...without(namesOf(before), namesOf(after)).map((name) => `${name} is missing`),
        ];
        return lines.map((line) => `${owner}.${line}`);
    });

const namesOf = ({ enum: values = [], aliases = [] }: Part): string[] =>
    values.map(({ value }) => value).concat(aliases.map(({ type }) => type));
const without = (some: string[] = [], others: string[] = []) => some.filter((one) => !others.includes(one));

type Compare<T> = (name: string, before: T, after: T) => string[];
const each = <T>(before: Record<string, T> = {}, after: Record<string, T> = {}, compare: Compare<T>): string[] =>
    Object.entries(before).flatMap(([name, one]) =>
        name in after ? compare(name, one, after[name] as T) : [`${name} is missing`],
    );

/** A property without its texts, and without how a change of it is planned. */
const typeOf = (property: TypeSpec): string =>
    JSON.stringify(property, (key, value: unknown) =>
        /^(|\d+|type|\$ref|items|oneOf|additionalProperties|secret)$/.test(key) ? value : undefined,
    );

/** Whether an enumeration, or each item of a list of it, may now be any string. Programs that use its values still work. */
function isWidened({ $ref, items }: TypeSpec, now: TypeSpec): boolean {
    if (items !== undefined && now.items !== undefined) {
        return isWidened(items, now.items);
    }
    const isString = now.type === "string" && now.$ref === undefined;
    return $ref !== undefined && isString && (now.oneOf?.some((one) => one.$ref === $ref) ?? true);
}

const schema = generated as Schema;
const older = JSON.parse(read("tests/engine/upgrade/schema.json")) as Schema;

/** What a program for the recorded version may miss. Only a version that may break something adds to it. */
const acceptedBreaks: readonly string[] = [
    "clouddb:index:getServiceLogs input.search has another type",
    "clouddb:index:Service.addons has another type",
];

test("the changelog names what a program for the recorded version misses, and what is new since then", () => {
    expect(incompatibilities(older, schema)).toEqual(acceptedBreaks);
    const changelog = read("CHANGELOG.md");
    const mayBreak = changelog.includes(`## ${version} (unreleased)\n`) || !satisfies(version, `^${older.version}`);
    expect(acceptedBreaks.length === 0 || mayBreak).toBe(true);
    const [since = ""] = changelog.split(`## ${older.version}\n`);
    expect(acceptedBreaks.filter((line) => !since.includes(`\`${/\.(\w+) /.exec(line)?.[1]}`))).toEqual([]);
    const ofResource = /:(?:([A-Z]\w+) input|[A-Z]\w+ input\.(\w+)) is missing$/;
    const added = incompatibilities(schema, older).flatMap((line) => ofResource.exec(line)?.slice(1) ?? []);
    expect(added.filter((name) => name && !since.includes(`\`${name}\``))).toEqual([]);
});

const alias = "pulumi-nodejs:dynamic/clouddb:Vpc";

test.each<[change: string, from: string, to: string, found: string]>([
    ["a lost value of an enumeration", '"value":"PROD"', '"value":"LIVE"', "Environment.PROD is missing"],
    ["a lost alias", `"${alias}"`, '"other"', `Vpc.${alias} is missing`],
    ["a lost input", '"nodes":', '"nodeCount":', "ReadReplicaSet input.nodes is missing"],
    [
        "another type",
        '"nodes":{"type":"integer"',
        '"nodes":{"type":"string"',
        "ReadReplicaSet input.nodes has another type",
    ],
    [
        "a required input",
        '"requiredInputs":["cidr",',
        '"requiredInputs":["name","cidr",',
        "Vpc input.name is now required",
    ],
    [
        "an output that may be absent",
        '"required":["projectId","name","cidr",',
        '"required":["projectId","name",',
        "Vpc.cidr may now be absent",
    ],
])("%s is found", (_, from, to, found) => {
    const text = JSON.stringify(schema);
    expect(text).toContain(from);
    expect(incompatibilities(schema, JSON.parse(text.replaceAll(from, to)) as Schema).join()).toContain(found);
});
