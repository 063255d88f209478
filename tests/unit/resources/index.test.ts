import type { Interceptor } from "../../../emulator";
import { loadContract } from "../../../emulator/contract";
import { operations } from "../../../provider/api/operations.gen";
import { inCanonicalForm, onChangeOf } from "../../../provider/base/fields";
import { predictCreation } from "../../../provider/hosts/native/prediction";
import { connectEngine } from "../../../provider/hosts/engine";
import { AdoptionError } from "../../../provider/lifecycle/errors";
import { Session } from "../../../provider/lifecycle/session";
import type { KnownInputs } from "../../../provider/model/resource";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { changeOf, defaultsOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import type { Refs, Values } from "../../support/cases/property";
import { call, loseResponse, lowerNames } from "../../support/fixtures";
import { untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";
import "../../support/random";

const given = { projectId: "emulator01", deletionProtection: false };
const declared = (type: ResourceType, inputs: object, name = type as string) =>
    ({
        ...given,
        __urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`,
        ...inputs,
    }) as KnownInputs;

/** A project with a resource of each kind that one of this kind can refer to. */
async function prepare(type: ResourceType, intercept?: Interceptor) {
    const world = await simulate({ peerings: "immediate", ...(intercept && { intercept }) });
    const ids: Partial<Record<ResourceType, string>> = {};
    for (const other of resourceTypes.slice(0, resourceTypes.indexOf(type))) {
        const inputs = declared(other, untypedKinds[other].inputs(refsTo(ids), 0));
        ids[other] = (await untypedLifecycles[other].create(inputs, world.run())).id;
    }
    return { world, refs: refsTo(ids) };
}

const created = resourceTypes.filter((type) => Object.keys(untypedKinds[type].creations).length > 0);

// A new kind is tested here by its test cases alone.

test.each(resourceTypes)("the preview of a creation shows the declared inputs and the defaults of %s", (type) => {
    const { outputs } = untypedResources[type];
    const inputs = untypedKinds[type].inputs(refsTo({}), 0);
    const shown = Object.fromEntries(Object.entries(inputs).filter(([name]) => name in outputs));
    const defaults = Object.entries(defaultsOf(type)).filter(([, value]) => value !== undefined);
    expect(predictCreation(untypedResources[type], declared(type, inputs))).toMatchObject({
        ...Object.fromEntries(defaults),
        ...shown,
    });
});

const named = created.filter((type) => "name" in untypedResources[type].fields);

test.each(named)("the preview of a %s without a name shows the one that its creation generates", async (type) => {
    const { world, refs } = await prepare(type);
    const given = Object.entries(untypedKinds[type].inputs(refs, 0)).filter(([input]) => input !== "name");
    const inputs = declared(type, Object.fromEntries(given));
    const { name } = predictCreation(untypedResources[type], inputs);
    const { state } = await untypedLifecycles[type].create(inputs, world.run());
    expect(state).toMatchObject({ name });
});

/** The kinds of which only a replacement changes the name. */
const fixedNames = named.filter((type) => onChangeOf(untypedResources[type].fields, "name") === "replace");

test.each(fixedNames)("the name of a %s is the same one in the letters in which the API shows it", async (type) => {
    const { world, refs } = await prepare(type, lowerNames);
    const inputs = { ...untypedKinds[type].inputs(refs, 0), name: "Two-Cases" };
    const { id, state } = await untypedLifecycles[type].create(declared(type, inputs), world.run());
    const seen = await untypedLifecycles[type].read(id, state, world.run());
    for (const known of [state, seen?.state ?? state]) {
        expect(untypedLifecycles[type].plan(known, declared(type, inputs))).toMatchObject({ steps: [], replace: [] });
    }
    const again = untypedLifecycles[type].create(declared(type, inputs, "again"), world.run());
    await expect(again).rejects.toThrow(`already exists: ${id}`);
});

test.each(named.filter((type) => untypedResources[type].parent !== undefined))(
    "two resources %s can have one name in two parents, but not in the same one",
    (type) => {
        const { kind, input } = untypedResources[type].parent ?? { kind: { type: "" }, input: "" };
        const lifecycle = untypedLifecycles[type].in(new Session(connectEngine(undefined)));
        const problems = (name: string, parent = "") => {
            const inputs = { ...untypedKinds[type].inputs(refsTo({}), 0), name: "same", [input]: parent };
            return lifecycle.check({ ...declared(type, inputs, name) }, {}).problems.join();
        };
        const [first, second] = { Service: ["abcdefghij", "klmnopqrst"], Vpc: ["41", "42"] }[kind.type] ?? [];
        expect(problems("one", first)).not.toContain("is declared by");
        expect(problems("other", second)).not.toContain("is declared by");
        expect(problems("third", first)).toContain("is declared by");
    },
);

/** A value of each input that a step can change, in a program that declares all of them. */
function changeable(type: ResourceType, refs: Refs): Values {
    const { together = {} } = untypedKinds[type];
    const alone = propertiesOf(type).filter(([, { announced, group }]) => announced && group === undefined);
    const values = alone.map(([name, one]) => changeOf(name, one, refs)[1]);
    return Object.assign({}, ...values, ...Object.values(together).map((all) => all.at(-1))) as Values;
}

test.each(created.flatMap((type) => [[type, "its required inputs"] as const, [type, "all its inputs"] as const]))(
    "a lost response to the creation of a %s with %s leads to one resource, beside another",
    async (type, which) => {
        const { world, refs } = await prepare(type);
        const more = which === "all its inputs" ? changeable(type, refs) : {};
        const create = (index: number, name: string, others: Values) => {
            const inputs = { ...untypedKinds[type].inputs(refs, index), ...others };
            return untypedLifecycles[type].create(declared(type, inputs, name), world.run());
        };
        const other = await create(1, "other", {});
        const operation = Object.keys(untypedKinds[type].creations)[0] ?? "";
        world.fault.at(operation, loseResponse, 1);
        const beganAt = world.clock.now();
        const { id, state } = await create(0, "one", more);
        expect(world.clock.now() - beganAt).toBeLessThan(60_000);
        expect(id).not.toBe(other.id);
        const found = untypedKinds[type].items(world.emulator.snapshot());
        const { settled } = untypedKinds[type];
        expect(found.map(({ status }) => status).sort()).toEqual([settled({}), settled(more)].sort());
        expect(found.map((item) => item.id).sort()).toEqual([other.id, id].map((one) => one.split("/").at(-1)).sort());
        const shown = propertiesOf(type).filter(([name, one]) => one.shown && name in more);
        const values = inCanonicalForm(more, untypedResources[type].fields);
        expect(state).toMatchObject(Object.fromEntries(shown.map(([name]) => [name, values[name]])));
    },
);

/** The kinds in a service, which rejects each creation with 409 while it changes. */
const ofService = created.filter((type) => untypedResources[type].parent?.kind.type === "Service");

test.each(ofService)("the creation of a %s waits for the end of a change of its service", async (type) => {
    const { world, refs } = await prepare(type);
    const [service] = refs.Service;
    world.emulator.setServiceStatus(service, "CONFIGURING", 60_000);
    const beganAt = world.clock.now();
    await untypedLifecycles[type].create(declared(type, untypedKinds[type].inputs(refs, 0)), world.run());
    expect(world.clock.now() - beganAt).toBeGreaterThan(60_000);
});

/** The inputs that are lists, with values that the API accepts together. */
const lists = created.flatMap((type) =>
    propertiesOf(type).flatMap(([name, { values, announced }]) => {
        const [one, other] = typeof values === "function" ? [] : values;
        return Array.isArray(one) && Array.isArray(other)
            ? [{ type, name, announced, list: [...new Set<unknown>([...(one as unknown[]), ...(other as unknown[])])] }]
            : [];
    }),
);

const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");

/** An API that shows each list of texts in the reverse order. */
const reversing: Interceptor = async (_, carryOut) => {
    const answer = await carryOut();
    const reversed = (_: string, value: unknown): unknown =>
        isTexts(value) ? [...(value as readonly unknown[])].reverse() : value;
    return answer.body === "" ? answer : { ...answer, body: JSON.stringify(JSON.parse(answer.body), reversed) };
};

const orders = [{ intercept: undefined }, { intercept: reversing }].flatMap((one) =>
    lists.map((list) => ({ ...list, ...one })),
);

test.each(orders)(
    "the order of $name of a $type has no meaning",
    async ({ type, name, announced, list, intercept }) => {
        expect(list.length).toBeGreaterThan(1);
        const { world, refs } = await prepare(type, intercept);
        const lifecycle = untypedLifecycles[type];
        const program = (value: readonly unknown[]) =>
            lifecycle.check({ ...declared(type, { ...untypedKinds[type].inputs(refs, 0), [name]: value }) }, {}).inputs;
        const [forwards, backwards] = [program(list), program([...list].reverse())];
        const none = { steps: [], replace: [] };
        const { id, state } = await lifecycle.create(backwards, world.run());
        expect(lifecycle.plan(state, forwards)).toMatchObject(none);
        const seen = await lifecycle.read(id, state, world.run());
        expect(lifecycle.plan(seen?.state ?? state, forwards)).toMatchObject(none);
        expect(lifecycle.plan(seen?.state ?? state, backwards)).toMatchObject(none);
        if (announced) {
            const fewer = await lifecycle.update(id, state, program(list.slice(1)), world.run());
            const again = await lifecycle.update(id, fewer, backwards, world.run());
            expect(lifecycle.plan(again, forwards)).toMatchObject(none);
        }
    },
);

const replacing = created.flatMap((type) =>
    propertiesOf(type)
        .filter(([, { replaces, wire }]) => replaces && wire !== undefined)
        .map(([name, one]) => [type, name, one] as const),
);

test.each(replacing)("the adoption of a %s with another %s is refused", async (type, name, one) => {
    const { world, refs } = await prepare(type);
    const inputs = untypedKinds[type].inputs(refs, 0);
    const others = { Vpc: [refs.Vpc[0], "41"], Service: [refs.Service[0], "abcdefghij"] } as const;
    const [before, after] = changeOf(name, one, { ...refs, ...others });
    const lifecycle = untypedLifecycles[type];
    const { id } = await lifecycle.create(declared(type, { ...inputs, ...before }, "wild"), world.run());
    const adoption = lifecycle.create(declared(type, { ...inputs, ...after, existingId: id }), world.run());
    await expect(adoption).rejects.toThrow(AdoptionError);
});

const deletable = created.flatMap((type) => {
    const { delete: deletes } = untypedResources[type].operations;
    return deletes === undefined ? [] : [[type, deletes] as const];
});

test.each(deletable)("a %s that is being deleted is not adopted", async (type, deletes) => {
    const { world, refs } = await prepare(type);
    const inputs = untypedKinds[type].inputs(refs, 0);
    const { id } = await untypedLifecycles[type].create(declared(type, inputs), world.run());
    const [, ...names] = [...operations[deletes].path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    await call(world, deletes, Object.fromEntries(names.map((name, index) => [name, id.split("/")[index]])));
    const adoption = untypedLifecycles[type].create(declared(type, { ...inputs, existingId: id }), world.run());
    await expect(adoption).rejects.toThrow(/it is being deleted|there is no such/);
});

const breaking = resourceTypes.filter((type) => untypedKinds[type].breaks !== undefined);

test.each(resourceTypes.filter((type) => !breaking.includes(type)))(
    "no status means that a %s has failed: its test case has no `breaks`",
    (type) => {
        const { operations: of, observation } = untypedResources[type];
        const { responses } = loadContract().operations.find(({ operationId }) => operationId === of.list) ?? {};
        const { status } = responses?.[200]?.content?.["application/json"].schema.items?.properties ?? {};
        const statuses = [...JSON.stringify([status]).matchAll(/"([A-Za-z]+)"(?=[,\]])/g)].map(([, one = ""]) => one);
        const fails = (one: string) => observation.readiness({ status: one }, {}, "rest").phase === "failed";
        expect(statuses.filter((one) => !/^delet/i.test(one) && fails(one))).toEqual([]);
    },
);

test.each(breaking)("the wait for a %s ends when it fails", async (type) => {
    const { world, refs } = await prepare(type);
    const inputs = declared(type, untypedKinds[type].inputs(refs, 0));
    const { id } = await untypedLifecycles[type].create(inputs, world.run());
    untypedKinds[type].breaks?.(world.emulator, id.split("/").at(-1) ?? "");
    const [{ item } = { item: undefined }] = untypedKinds[type].items(world.emulator.snapshot());
    const { phase } = untypedResources[type].observation.readiness(item, {}, "rest");
    expect(phase).toBe("failed");
});

test.each(resourceTypes)("the effect of a change of each input of a %s is that of its test cases", (type) => {
    const effects = propertiesOf(type).flatMap(([name, { replaces, announced, isIgnored }]) => {
        const effect = replaces ? "replace" : announced ? "update" : isIgnored ? "ignore" : undefined;
        return effect === undefined ? [] : [[name, { onChange: effect }] as const];
    });
    expect(untypedResources[type].fields).toMatchObject(Object.fromEntries(effects));
});

test.each(resourceTypes)("a %s has time for each change, and a fork has more", (type) => {
    const { create, update, delete: remove } = untypedResources[type].times(undefined);
    expect(Math.min(create, update, remove)).toBeGreaterThanOrEqual(600_000);
    expect(untypedResources[type].times({ fork: {} } as never).create).toBeGreaterThanOrEqual(create);
});
