import { existsSync, readdirSync } from "node:fs";
import { satisfies } from "semver";
import { version } from "../../../package.json";
import generated from "../../../provider/hosts/native/schema.gen.json";
import { read, root } from "../../support/documents";

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
const recorded = readdirSync(`${root}/tests/engine/upgrade`)
    .map((name) => `tests/engine/upgrade/${name}/schema.json`)
    .filter((file) => existsSync(`${root}/${file}`))
    .map((file) => JSON.parse(read(file)) as Schema);

/** What a program for an older version may miss, by that version. Only a version that may break something adds to it. */
const acceptedBreaks: Readonly<Record<string, readonly string[]>> = {
    "0.1.0": [
        "clouddb:index:Service input.allowReplace is missing",
        "clouddb:index:getService.cpuMillis has another type",
        "clouddb:index:getService.memoryGbs has another type",
    ],
};

test.each(recorded)("the changelog names what a program for $version misses, and what is new since then", (older) => {
    const accepted = acceptedBreaks[older.version] ?? [];
    expect(incompatibilities(older, schema)).toEqual(accepted);
    expect(accepted.length === 0 || !satisfies(version, `^${older.version}`)).toBe(true);
    const [, names = ""] = /\n### Before you upgrade\n(.*?)\n### /s.exec(read("CHANGELOG.md")) ?? [];
    expect(accepted.filter((line) => !names.includes(`\`${/\.(\w+) /.exec(line)?.[1]}`))).toEqual([]);
    const [since = ""] = read("CHANGELOG.md").split(`## ${older.version}\n`);
    const reverse = incompatibilities(schema, older);
    const ofResource = /:(?:([A-Z]\w+) input|[A-Z]\w+ input\.(\w+)) is missing$/;
    const added = reverse.flatMap((line) => ofResource.exec(line)?.slice(1) ?? []);
    expect(added.filter((name) => name && !since.includes(`\`${name}\``))).toEqual([]);
    const rules = ["environment has another type", "serviceId is now required", "username may now be absent"];
    expect(rules.filter((rule) => !reverse.join().includes(rule))).toEqual([]);
});

test("a lost value of an enumeration and a lost alias are found", () => {
    const alias = "pulumi-nodejs:dynamic/clouddb:Vpc";
    const changed = JSON.stringify(schema).replaceAll('"PROD"', '"LIVE"').replace(`"${alias}"`, '"other"');
    const found = incompatibilities(schema, JSON.parse(changed) as Schema);
    expect(found).toEqual(["Environment.PROD", `Vpc.${alias}`].map((one) => `clouddb:index:${one} is missing`));
});
