import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Interceptor } from "../../../emulator";
import { secretFields } from "../../../provider/api/operations.gen";
import type { Resource } from "../../../provider/model/resource";
import { secret, text } from "../../../provider/base/fields";
import { check } from "../../../provider/lifecycle/check";
import { kinds, resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { changeOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import type { Values } from "../../support/cases/property";
import { service } from "../../support/fixtures";
import { untypedLifecycles } from "../../support/lifecycles";
import { sessionWith } from "../../support/sessions";
import { simulate } from "../../support/simulation";

/** The values in a body, with the names of their properties. */
const leavesOf = (value: unknown, name = ""): (readonly [string, unknown])[] =>
    typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([inner, one]) => leavesOf(one, inner))
        : [[name, value]];

test("each secret that a request contains is in a field with the format password, and each such field contains one", async () => {
    const bodies: unknown[] = [];
    const intercept: Interceptor = ({ request }, carryOut) => {
        bodies.push(JSON.parse(request.body ?? "{}"));
        return carryOut();
    };
    const world = await simulate({ intercept });
    const ids: Partial<Record<ResourceType, string>> = {};
    const secrets = new Set<unknown>();
    for (const type of resourceTypes) {
        const { resource } = untypedLifecycles[type];
        const base = { projectId: world.emulator.projectId, __urn: `urn::${type}`, deletionProtection: false };
        const inputs = { ...base, ...untypedKinds[type].inputs(refsTo(ids), 0) };
        const secret = Object.entries(resource.fields).filter((entry) => entry[1].secret);
        const changes = propertiesOf(type).filter(([name]) => secret.some(([one]) => one === name));
        const valuesAt = (index: 0 | 1) =>
            Object.assign({}, ...changes.map(([name, one]) => changeOf(name, one, refsTo(ids))[index])) as Values;
        const [before, after] = [valuesAt(0), valuesAt(1)];
        for (const value of [before, after].flatMap((one) => Object.values(one))) {
            secrets.add(value);
        }
        const { id, state } = await untypedLifecycles[type].create({ ...inputs, ...before }, world.run());
        await untypedLifecycles[type].update(id, state, { ...inputs, ...after }, world.run());
        ids[type] = id;
    }
    const sent = bodies.flatMap((body) => leavesOf(body));
    const isSecretField = (name: string) => (secretFields as readonly string[]).includes(name);
    expect(sent.filter(([name, value]) => isSecretField(name) !== secrets.has(value))).toEqual([]);

    interface Schema {
        readonly properties?: Readonly<Record<string, { readonly format?: string }>>;
    }
    const { components } = parse(readFileSync(join(__dirname, "../../../provider/api/openapi.yaml"), "utf8")) as {
        components: { schemas: Readonly<Record<string, Schema>> };
    };
    const inputs = Object.entries(components.schemas).filter(([name]) => name.endsWith("Input"));
    const declared = inputs.flatMap(([, { properties = {} }]) =>
        Object.entries(properties).flatMap(([name, { format }]) => (format === "password" ? [name] : [])),
    );
    expect(declared.filter((name) => !sent.some(([one]) => one === name))).toEqual([]);
});

test("a required secret need not be declared for an imported resource, which has no value of it, but for each other one", () => {
    const { Service: base } = untypedResources;
    const token = { ...secret("update", text()), required: true };
    const kind: Resource = { ...base, fields: Object.assign({ token }, base.fields) };
    const managed = { resource: kind, session: sessionWith({}), kinds };
    const given = { ...service(), name: "orders" };
    const missing = ["token is missing; set a value"];
    expect(check(managed, given, {}).problems).toEqual(missing);
    expect(check(managed, given, { ...given, token: "first-token" }).problems).toEqual(missing);
    expect(check(managed, given, given).problems).toEqual([]);
});
