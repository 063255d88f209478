import { isCreation, type Operation } from "../messages";
import { camel } from "./format";
import { presentationOf, type Inputs, type Kind, type Resource } from "./kinds";

/** The inputs whose names differ from those of the API. */
const renamed: Readonly<Record<string, string>> = { environment_tag: "environment", fork_strategy: "strategy" };

const code = (text: string): { code: string } => ({ code: text });

/** The inputs that an operation sets without a value in its body that a program can contain. */
const effects: Readonly<Record<string, Inputs>> = {
    updatePassword: { password: code('config.requireSecret("password")') },
    stopService: { paused: true },
    startService: { paused: false },
    detachFromVPC: { vpcId: undefined },
    enablePooler: { connectionPooler: true },
    disablePooler: { connectionPooler: false },
    enableReplicaSetPooler: { connectionPooler: true },
    disableReplicaSetPooler: { connectionPooler: false },
};

/** The declaration in a program that has the effect of an operation of this kind. */
export function pulumiCode(
    { id, property }: Operation,
    kind: Kind,
    body: Inputs,
    resource: Resource | undefined,
    current: Inputs,
): string {
    if (id.startsWith("delete")) {
        return "// Remove the resource from the program. A deletion needs\n// deletionProtection: false, applied before.";
    }
    const { type } = presentationOf(kind);
    const inputs = property === undefined ? inputsIn(body) : { [camel(property)]: inputsIn(body) };
    const own = resource?.name ?? "sample";
    if (resource && !isCreation(id)) {
        return declaration(type, own, { ...current, ...inputs, ...effects[id] });
    }
    const { strategy, targetTime, ...others } = inputs as Record<string, unknown>;
    const link = `${resource?.kind.replace(/s$/, "")}Id`;
    const parent = { [link]: code(`${identifierOf(own)}.${link}`) };
    const isFork = id === "forkService";
    const links = isFork ? { fork: { ...parent, strategy, targetTime } } : resource ? parent : {};
    const name = typeof others.name === "string" ? others.name : isFork ? `${own}-fork` : "sample";
    return declaration(type, name, { ...links, ...others });
}

/** The inputs that have the values of a model or body. */
const inputsIn = (values: object): Inputs =>
    Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
            renamed[name] ?? camel(name),
            isObject(value) ? inputsIn(value) : sized(name, value),
        ]),
    );

/** The inputs of a resource as it is. Operations with properties of their own set the others. */
export function inputsOf(
    { kind, value }: Pick<Resource, "kind" | "value">,
    changes: readonly Operation[] = [],
): Inputs {
    const own = new Set(changes.flatMap(({ properties = [] }) => properties));
    const others = Object.entries(value).filter(([name]) => own.has(name));
    return { ...presentationOf(kind).inputs(value), ...inputsIn(Object.fromEntries(others)) };
}

const isObject = (value: unknown): value is object => Object(value) === value && !Array.isArray(value);

/** The API accepts sizes as text, and a program declares numbers. */
const sized = (name: string, value: unknown): unknown =>
    /^(cpu_millis|memory_gbs)$/.test(name) && value !== "shared" ? Number(value) : value;

/** A name as a variable. */
function identifierOf(name: string): string {
    const camelCased = name.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) =>
        (letter ?? "").toUpperCase(),
    );
    return /^[A-Za-z]/.test(camelCased) ? camelCased : `db${camelCased}`;
}

function declaration(type: string, name: string, inputs: Inputs): string {
    const lines = Object.entries(inputs)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `    ${key}: ${literal(value)},`);
    return [`const ${identifierOf(name)} = new clouddb.${type}(${JSON.stringify(name)}, {`, ...lines, "});"].join("\n");
}

function literal(value: unknown): string {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return JSON.stringify(value);
    }
    if ("code" in value) {
        return String(value.code);
    }
    const parts = Object.entries(value).filter(([, part]) => part !== undefined);
    return `{ ${parts.map(([key, part]) => `${key}: ${literal(part)}`).join(", ")} }`;
}
