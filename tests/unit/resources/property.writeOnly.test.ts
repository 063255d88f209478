import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Interceptor } from "../../../emulator";
import { secretFields } from "../../../provider/api/operations.gen";
import type { Kind, Resource } from "../../../provider/model/resource";
import { entriesOf } from "../../../provider/base/fields";
import { manage } from "../../../provider/lifecycle/session";
import { check } from "../../../provider/lifecycle/check";
import { kinds, resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { writeOnly, writeOnlySteps } from "../../../provider/resources/property";
import { changeOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import type { Values } from "../../support/cases/property";
import { failure, linesOf, loseResponse, refuse, service } from "../../support/fixtures";
import { Lifecycle, untypedLifecycles } from "../../support/lifecycles";
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
        const secret = entriesOf(resource.fields).filter((entry) => entry[1].secret);
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

describe("a kind with a secret that is only written", () => {
    const secrets = { token: writeOnly("updatePassword", "password", { word: "token", isRequired: true }) };
    const { Service: base } = untypedResources;
    /** A service with a token in place of its password. */
    const kind: Resource = {
        ...base,
        fields: Object.assign({ token: secrets.token.field }, base.fields),
        outputs: Object.assign({ token: secrets.token.output }, base.outputs),
        steps: (state, declared) => writeOnlySteps(secrets, state, declared),
        creation: { ...base.creation, records: () => ({ held: {} }) },
    };
    const lifecycle = new Lifecycle<Kind>(kind);
    const declare = (token: string) => ({ ...service(), token });

    it("sets it at the creation and with a new value, and again after a lost answer, whatever the program then declares", async () => {
        const world = await simulate();
        const { id, state } = await lifecycle.create(declare("first-token"), world.run());
        expect(world.emulator.passwordMatches(id, "first-token")).toBe(true);
        expect(linesOf(lifecycle.plan(state, declare("first-token")))).toEqual([]);
        expect(linesOf(lifecycle.plan(state, declare("second-token")))).toEqual(["change the token"]);

        let calls = 0;
        world.fault.at("updatePassword", (exchange, carryOut) => {
            calls += 1;
            return (calls === 1 ? loseResponse : refuse)(exchange, carryOut);
        });
        const failed = await failure(lifecycle.update(id, state, declare("second-token"), world.run()));
        expect(world.emulator.passwordMatches(id, "second-token")).toBe(true);
        world.fault.over();
        const again = ["set the token, because the current one is unknown"];
        expect(linesOf(lifecycle.plan(failed.state, service()))).toEqual(again);
        expect(linesOf(lifecycle.plan(failed.state, declare("first-token")))).toEqual(again);
        const reverted = await lifecycle.update(id, failed.state, declare("first-token"), world.run());
        expect(world.emulator.passwordMatches(id, "first-token")).toBe(true);
        expect(linesOf(lifecycle.plan(reverted, declare("first-token")))).toEqual([]);
        expect(world.statusLines.join("\n")).toContain(
            "run `pulumi up` with this token again before you change or revert it",
        );
    });

    it("need not be declared for an imported resource, which has no value of it, but for each other one", () => {
        const managed = manage(kind, sessionWith({}), kinds);
        const given = { ...service(), name: "orders" };
        const missing = ["token is missing; set a value"];
        expect(check(managed, given, {}).problems).toEqual(missing);
        expect(check(managed, given, { ...given, token: "first-token" }).problems).toEqual(missing);
        expect(check(managed, given, given).problems).toEqual([]);
    });
});
