import { join } from "node:path";
import ts from "typescript";
import schema from "../../../provider/hosts/native/schema.gen.json";
import type { KnownInputs } from "../../../provider/model/resource";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import { ProductionDatabase } from "../../../sdk/nodejs";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { untypedLifecycles } from "../../support/lifecycles";
import { mockEngine } from "../../support/mocks";
import { simulate } from "../../support/simulation";

// The defaults that an editor shows, beside what a creation does without the input.

const component = "ProductionDatabase";
const entry = join(__dirname, "../../../sdk/nodejs/index.ts");
const program = ts.createProgram([entry], { strict: true, target: ts.ScriptTarget.ES2022, types: [] });
const checker = program.getTypeChecker();

type Values = Readonly<Record<string, unknown>>;

/** The texts of the defaults in TypeScript, as the tooltips of the arguments show them. */
function inTypeScript(type: string): Readonly<Record<string, string>> {
    const source = program.getSourceFile(entry);
    const exported = source && checker.getSymbolAtLocation(source);
    const all = exported ? checker.getExportsOfModule(exported) : [];
    const found = all.find(({ name }) => name === `${type}Args`);
    const own = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const args = own && checker.getDeclaredTypeOfSymbol(own);
    return Object.fromEntries(
        (args ? checker.getPropertiesOfType(args) : []).flatMap((property) => {
            const tag = property.getJsDocTags(checker).find(({ name }) => name === "default");
            return tag ? [[property.name, ts.displayPartsToString(tag.text)]] : [];
        }),
    );
}

/** The same in the schema, from which the other languages have them. */
function inSchema(type: string): Readonly<Record<string, string>> {
    const resources: Readonly<Record<string, { inputProperties: Record<string, { description?: string }> }>> =
        schema.resources;
    const inputs = Object.entries(resources[`clouddb:index:${type}`]?.inputProperties ?? {});
    return Object.fromEntries(
        inputs.flatMap(([name, { description = "" }]) => {
            const [, text] = / Default: (.*)\.$/s.exec(description) ?? [];
            return text === undefined ? [] : [[name, text]];
        }),
    );
}

/** The value that a text states, such as `0` or `cpuMillis / 250`. Undefined if it only describes one. */
function stated(text: string, inputs: Values): unknown {
    const [first = ""] = text.split("; ");
    const [, literal] = /^`?(\d+|true|false|"[^"]*")`?$/.exec(first) ?? [];
    if (literal !== undefined) {
        return JSON.parse(literal);
    }
    const [, name = "", operator, factor] = /^`(\w+) ([*/]) (\d+)`$/.exec(first) ?? [];
    const ratio = operator === "*" ? Number(factor) : 1 / Number(factor);
    return name in inputs ? Number(inputs[name]) * ratio : undefined;
}

/** The inputs and the outputs of a resource without optional inputs. */
async function created(type: ResourceType, more: Values = {}) {
    const world = await simulate({ peerings: "immediate" });
    const ids: Partial<Record<ResourceType, string>> = {};
    const create = async (one: ResourceType, added: Values = {}) => {
        const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${one}`;
        const inputs = { ...(untypedKinds[one].inputs(refsTo(ids), 0) as Values), ...added };
        const declared = { projectId: "emulator01", __urn: urn, ...inputs } as unknown as KnownInputs;
        const { id, state } = await untypedLifecycles[one].create(declared, world.run());
        ids[one] = id;
        return { inputs, outputs: state as unknown as Values };
    };
    for (const other of resourceTypes.slice(0, resourceTypes.indexOf(type))) {
        await create(other);
    }
    return create(type, more);
}

/** The inputs that the component declares for its service. */
async function ofComponent(args: { cpuMillis: number }) {
    let service: Values = {};
    await mockEngine({ stateOf: (_, inputs) => (service = inputs as Values) });
    const { serviceId } = new ProductionDatabase("main", args).service;
    await new Promise<void>((resolve) => void serviceId.apply(() => resolve()));
    return { service, ...(await created("Service", args)) };
}

/** Which inputs a text is compared for, so that a new wording does not end the comparison. */
const compared: Readonly<Record<string, readonly string[]>> = {
    Peering: ["waitFor"],
    Service: ["connectionPooler", "environment", "memoryGbs", "paused", "replicaCount", "sslMode", "syncReplicaCount"],
    ReadReplicaSet: ["connectionPooler", "memoryGbs", "nodes", "sslMode"],
};
/** The component has those of its service. */
const types = [...Object.keys(compared), component];

test.each(types)("each default of %s that a tooltip states is in force", async (type) => {
    const { inputs, outputs, service } =
        type === component
            ? await ofComponent({ cpuMillis: 1000 })
            : { ...(await created(type as ResourceType, type === "Service" ? { cpuMillis: 1000 } : {})), service: {} };
    const inForce = (name: string): unknown =>
        service[name] ??
        outputs[name] ??
        // What the state does not show has an effect.
        { sslMode: /sslmode=([\w-]+)/.exec(String(outputs.connectionString))?.[1], waitFor: outputs.status }[name];
    for (const texts of [inTypeScript(type), inSchema(type)]) {
        const values = Object.entries(texts)
            .map(([name, text]) => [name, stated(text, inputs)] as const)
            .filter(([, value]) => value !== undefined);
        expect(values.map(([name]) => name).sort()).toEqual(compared[type] ?? compared.Service);
        expect(Object.fromEntries(values)).toEqual(Object.fromEntries(values.map(([name]) => [name, inForce(name)])));
    }
});
