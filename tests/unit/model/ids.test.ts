import fc from "fast-check";
import { newId, newNumber } from "../../../emulator/world/ids";
import { Random } from "../../../emulator/world/random";
import { sameIn, type Field, type Test } from "../../../provider/base/fields";
import { resourceTypes, untypedResources } from "../../../provider/resources";

/** The ids of the other cloud account have forms of its own. */
const foreign = ["peerAccountId", "peerVpcId"];

/** The inputs that are ids of this API, with those in objects. */
const inputs: [name: string, test: Test][] = resourceTypes.flatMap((type) =>
    Object.entries(untypedResources[type].fields)
        .flatMap(([name, { test, properties = {} }]): [string, Test][] => [
            [`${type}.${name}`, test],
            ...Object.entries(properties).map(([own, field]): [string, Test] => [`${type}.${name}.${own}`, field.test]),
        ])
        .filter(([name]) => name.endsWith("Id") && !foreign.some((one) => name.endsWith(one))),
);

it.each(inputs)("%s is the same in a path as in the program, and has the form of the API", (name, test) => {
    const one = fc.nat().map((seed) => {
        const random = new Random(seed);
        const forms = seed % 2 === 1 ? [true, false] : [false];
        const made = [
            ...forms.map((otherIds) => newId(random, () => false, { otherIds })),
            newNumber(random, () => false),
        ];
        return made.find((id) => test(id) === undefined) ?? made.join();
    });
    const character = fc.constantFrom(...Array.from("aZ0/?#%.:-_ \n\u0000é٣"), "..");
    const noise = fc.array(character, { maxLength: 10 }).map((all) => all.join(""));
    fc.assert(
        fc.property(one, noise, fc.nat(10), (id, more, at) => {
            expect([id, test(id)]).toEqual([id, undefined]);
            const other = id.slice(0, at) + more + id.slice(at);
            const parts = name.endsWith("existingId") ? other.split("/") : [other];
            const isInPath = parts.every((part) => /^[A-Za-z0-9-]+$/.test(part));
            expect([other, test(other) === undefined && !isInPath]).toEqual([other, false]);
        }),
        { numRuns: 300, seed: 1 },
    );
});

const replacing = resourceTypes.flatMap((type) =>
    Object.entries(untypedResources[type].fields as Readonly<Record<string, Field>>)
        .filter(([name, { onChange, test }]) => onChange === "replace" && (name.endsWith("Id") || !test("text")))
        .map(([name, field]) => [`${type}.${name}`, field] as const),
);

it.each(replacing)("another %s replaces, in other letters only if it is an id", (name, field) => {
    expect(sameIn(field, "a1", "b1")).toBe(false);
    expect(sameIn(field, "a1", " A1")).toBe(!name.endsWith("Id"));
});

it("each kind has inputs with ids", () => {
    expect(inputs.map(([name]) => name)).toEqual(
        expect.arrayContaining(["Service.vpcId", "Service.fork.serviceId", "ReadReplicaSet.serviceId"]),
    );
});
