import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import generated from "../../../provider/hosts/native/schema.gen.json";
import { read } from "../../support/documents";
import { incompatibilities, mayBreak, type Schema } from "../../support/schemaCompatibility";

const schema = generated as Schema;
const releases = join(__dirname, "..", "..", "engine", "upgrade");
const recorded = readdirSync(releases)
    .map((name) => join(releases, name, "schema.json"))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")) as Schema);

test("the schemas of releases are recorded", () => {
    expect(recorded.map((one) => one.version)).toContain("0.1.0");
});

/** What a program for an older version may miss, by that version. Only a version that may break something adds to it. */
const acceptedBreaks: Readonly<Record<string, readonly string[]>> = {
    "0.1.0": [
        "clouddb:index:Service.allowReplace is missing",
        "clouddb:index:getService.cpuMillis has another type",
        "clouddb:index:getService.memoryGbs has another type",
    ],
};

test.each(recorded)(
    "a program for version $version compiles with the present schema, but for accepted breaks",
    (older) => {
        const accepted = acceptedBreaks[older.version] ?? [];
        expect(incompatibilities(older, schema)).toEqual(accepted);
        expect(accepted.length === 0 || mayBreak(older.version, version)).toBe(true);
        const [, upgrade = ""] = read("CHANGELOG.md").split("### Before you upgrade");
        const [, names = ""] = /^(.*?)\n### /s.exec(upgrade) ?? [];
        expect(accepted.filter((line) => !names.includes(`\`${/\.(\w+) /.exec(line)?.[1]}`))).toEqual([]);
    },
);

/** The resources, and the inputs of resources, that the older schema does not have. */
const addedTo = ({ resources }: Schema): string[] =>
    Object.entries(schema.resources).flatMap(([token, { inputProperties }]) => {
        const before = resources[token];
        return before === undefined
            ? [token.split(":").at(-1) ?? ""]
            : Object.keys(inputProperties).filter((name) => !Object.hasOwn(before.inputProperties, name));
    });

test.each(recorded)("the changelog names each resource and input that $version does not have", (older) => {
    const [since = ""] = read("CHANGELOG.md").split(`## ${older.version}\n`);
    expect(addedTo(older).filter((name) => !since.includes(`\`${name}\``))).toEqual([]);
});

/** A copy of the schema with a change. */
function changed(change: (copy: Schema) => void): Schema {
    const copy = JSON.parse(JSON.stringify(schema)) as Schema;
    change(copy);
    return copy;
}

interface Changeable {
    inputProperties: Record<string, unknown>;
    requiredInputs: string[];
    aliases: unknown[];
}

const service = (copy: Schema) => copy.resources["clouddb:index:Service"] as unknown as Changeable;

test.each<[string, (copy: Schema) => unknown]>([
    [
        "clouddb:index:Vpc is missing",
        ({ resources }) => delete (resources as Record<string, unknown>)["clouddb:index:Vpc"],
    ],
    ["clouddb:index:Service.password is missing", (copy) => delete service(copy).inputProperties.password],
    ["clouddb:index:Service.password is now required", (copy) => (service(copy).requiredInputs = ["password"])],
    [
        "clouddb:index:Service.cpuMillis has another type",
        (copy) => (service(copy).inputProperties.cpuMillis = { type: "integer" }),
    ],
    [
        "clouddb:index:Service lost the alias pulumi-nodejs:dynamic/clouddb:Service",
        (copy) => (service(copy).aliases = []),
    ],
    [
        "clouddb:index:Environment lost the value PROD",
        ({ types }) => (types["clouddb:index:Environment"]?.enum as unknown[]).pop(),
    ],
])("%s: this change is found", (line, change) => {
    expect(incompatibilities(schema, changed(change))).toContain(line);
});

test("an enumeration that accepts every string is compatible in inputs", () => {
    const enumeration = { $ref: "#/types/clouddb:index:Environment" };
    const older = changed((copy) => {
        service(copy).inputProperties.environment = enumeration;
        service(copy).inputProperties.addons = { type: "array", items: { $ref: "#/types/clouddb:index:Addon" } };
        Object.assign(copy.types["clouddb:index:Fork"]?.properties ?? {}, {
            strategy: { $ref: "#/types/clouddb:index:ForkStrategy" },
        });
    });
    expect(incompatibilities(older, schema)).toEqual([]);
    expect(incompatibilities(schema, older)).toEqual([
        "clouddb:index:Fork.strategy has another type",
        "clouddb:index:Service.addons has another type",
        "clouddb:index:Service.environment has another type",
    ]);
});

test("an added resource, input, value and output is compatible", () => {
    const older = changed((copy) => {
        delete (copy.resources as Record<string, unknown>)["clouddb:index:Vpc"];
        delete service(copy).inputProperties.password;
        (copy.types["clouddb:index:Environment"]?.enum as unknown[]).pop();
    });
    expect(incompatibilities(older, schema)).toEqual([]);
    expect(new Set(addedTo(older))).toEqual(new Set(["Vpc", "password"]));
});

test.each([
    ["0.1.0", "0.1.1", false],
    ["0.1.0", "0.2.0", true],
    ["1.1.0", "1.2.0", false],
    ["1.1.0", "2.0.0", true],
])("whether a version after %s, %s, may remove something: %s", (older, newer, may) => {
    expect(mayBreak(older, newer)).toBe(may);
});
