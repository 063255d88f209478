/** The parts of a Pulumi schema that programs depend on. */
export interface Schema {
    readonly version: string;
    readonly config: { readonly variables: Properties };
    readonly provider: { readonly inputProperties: Properties };
    readonly types: Readonly<Record<string, ObjectOrEnum>>;
    readonly resources: Readonly<Record<string, ResourceSpec>>;
    readonly functions: Readonly<Record<string, FunctionSpec>>;
}

type Properties = Readonly<Record<string, object>>;

interface ObjectSpec {
    readonly properties?: Properties;
    readonly required?: readonly string[];
}

interface ObjectOrEnum extends ObjectSpec {
    readonly enum?: readonly { readonly name: string; readonly value: string }[];
}

interface ResourceSpec extends ObjectSpec {
    readonly inputProperties: Properties;
    readonly requiredInputs?: readonly string[];
    readonly aliases?: readonly { readonly type: string }[];
}

interface FunctionSpec {
    readonly inputs?: ObjectSpec;
    readonly outputs: ObjectSpec;
}

/** How a program uses the members of an object. */
type Use = "input" | "output" | "both";

/** What a program of the older schema may miss in the newer one. Each line names the member. */
export function incompatibilities(older: Schema, newer: Schema): string[] {
    const declared = inputTypes(older);
    return [
        ...each("", settingsOf(older), settingsOf(newer), (name, before, after) =>
            compare(name, "input", { properties: before }, { properties: after }),
        ),
        ...each("", older.types, newer.types, (name, before, after) => [
            ...compare(name, declared.has(name) ? "both" : "output", before, after),
            ...(before.enum ?? [])
                .filter((one) => !after.enum?.some((other) => one.name === other.name && one.value === other.value))
                .map((one) => `${name} lost the value ${one.value}`),
        ]),
        ...each("", older.resources, newer.resources, (name, before, after) => [
            ...compare(name, "input", inputsOf(before), inputsOf(after)),
            ...compare(name, "output", before, after),
            ...(before.aliases ?? [])
                .filter(({ type }) => !after.aliases?.some((other) => other.type === type))
                .map(({ type }) => `${name} lost the alias ${type}`),
        ]),
        ...each("", older.functions, newer.functions, (name, before, after) => [
            ...compare(name, "input", before.inputs, after.inputs),
            ...compare(name, "output", before.outputs, after.outputs),
        ]),
    ];
}

/** Whether a version may remove what the other one has. While the major version is 0, the minor version counts. */
export function mayBreak(older: string, newer: string): boolean {
    const [major, minor] = older.split(".");
    const [newMajor, newMinor] = newer.split(".");
    return major !== newMajor || (major === "0" && minor !== newMinor);
}

const settingsOf = ({ config, provider }: Schema) => ({ config: config.variables, provider: provider.inputProperties });
const inputsOf = ({ inputProperties, requiredInputs = [] }: ResourceSpec): ObjectSpec => ({
    properties: inputProperties,
    required: requiredInputs,
});

function compare(owner: string, use: Use, before: ObjectSpec = {}, after: ObjectSpec = {}): string[] {
    const [required, nowRequired] = [before.required ?? [], after.required ?? []];
    const isSame = (one: object, other: object) =>
        typeOf(one) === typeOf(other) || (use !== "output" && isWidened(one, other));
    return [
        ...each(`${owner}.`, before.properties ?? {}, after.properties ?? {}, (name, one, other) =>
            isSame(one, other) ? [] : [`${name} has another type`],
        ),
        ...(use === "output" ? [] : nowRequired.filter((name) => !required.includes(name))).map(
            (name) => `${owner}.${name} is now required`,
        ),
        ...(use === "input" ? [] : required.filter((name) => !nowRequired.includes(name))).map(
            (name) => `${owner}.${name} may now be absent`,
        ),
    ];
}

/** The types of inputs, at any depth. */
function inputTypes({ config, provider, resources, functions, types }: Schema): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
        for (const [, token = ""] of JSON.stringify(value).matchAll(/"#\/types\/([^"]+)"/g)) {
            if (!found.has(token)) {
                found.add(token);
                visit(types[token]);
            }
        }
    };
    visit([config, provider]);
    visit(Object.values(resources).map(({ inputProperties }) => inputProperties));
    visit(Object.values(functions).map((one) => one.inputs ?? {}));
    return found;
}

/** Whether an enumeration, or each item of a list of it, may now be any string. Programs that use its values still work. */
function isWidened(before: object, after: object): boolean {
    const [{ $ref, items }, now] = [before as TypeSpec, after as TypeSpec];
    if (items !== undefined && now.items !== undefined) {
        return isWidened(items, now.items);
    }
    const isString = now.type === "string" && now.$ref === undefined;
    return $ref !== undefined && isString && (now.oneOf?.some((one) => one.$ref === $ref) ?? true);
}

interface TypeSpec {
    readonly type?: string;
    readonly $ref?: string;
    readonly items?: TypeSpec;
    readonly oneOf?: readonly TypeSpec[];
}

/** A property without its texts and without how a change of it is planned. */
function typeOf(property: object): string {
    const ofType = ["type", "$ref", "items", "oneOf", "additionalProperties", "secret"];
    return JSON.stringify(property, (key, value: unknown) =>
        key === "" || ofType.includes(key) || /^\d+$/.test(key) ? value : undefined,
    );
}

function each<Value>(
    prefix: string,
    before: Readonly<Record<string, Value>>,
    after: Readonly<Record<string, Value>>,
    linesOf: (name: string, before: Value, after: Value) => string[],
): string[] {
    return Object.entries(before).flatMap(([name, one]) => {
        const other = after[name];
        return other === undefined ? [`${prefix}${name} is missing`] : linesOf(`${prefix}${name}`, one, other);
    });
}
