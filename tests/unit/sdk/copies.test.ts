import * as pulumi from "@pulumi/pulumi";
import * as errors from "../../../provider/api/callErrors";
import { resourceTypes } from "../../../provider/resources";
import * as dynamic from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { mockEngine } from "../../support/mocks";

// Pulumi's public types leave out this function.
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs: () => Promise<void> };

/** Another copy of the package, as a library has that a program uses, with the same SDK of Pulumi. */
let copy: { dynamic: typeof dynamic; native: typeof native };

beforeAll(() => {
    jest.isolateModules(() => {
        jest.doMock("@pulumi/pulumi", () => pulumi);
        copy = {
            dynamic: jest.requireActual<typeof dynamic>("../../../sdk/nodejs"),
            native: jest.requireActual<typeof native>("../../../sdk/nodejs/native"),
        };
    });
});
beforeEach(() => mockEngine());
afterEach(() => waitForRPCs());

/** The classes of resources, with an instance of each. */
const vpc = { cidr: "10.0.0.0/21", regionCode: "us-east-1" };
const classes = (entry: typeof dynamic | typeof native) =>
    Object.fromEntries(
        [...resourceTypes, "ProductionDatabase" as const].map((type) => [
            type,
            {
                class: entry[type],
                create: () => new entry[type]("it", { ...vpc, cpuMillis: 500, serviceId: "s" } as never),
            },
        ]),
    );

describe.each([
    ["pulumi-clouddb", dynamic, "dynamic"],
    ["pulumi-clouddb/native", native, "native"],
] as const)("each class of %s", (_, entry, of) => {
    test("has the type by which a policy selects its resources, and recognizes them, also those of another copy", () => {
        const own = classes(entry);
        const others = classes(copy[of]);
        for (const type of Object.keys(own)) {
            const resources = [own[type]?.create(), others[type]?.create()];
            expect(resources[1]).not.toBeInstanceOf(own[type]?.class);
            expect(own[type]?.class.__pulumiType).toBe(Reflect.get(resources[0] ?? {}, "__pulumiType"));
            for (const resource of resources) {
                const recognizing = Object.keys(own).filter((name) => own[name]?.class.isInstance(resource));
                expect(recognizing).toEqual([type]);
            }
            expect([undefined, null, "text", {}].filter((value) => own[type]?.class.isInstance(value))).toEqual([]);
            // As an argument of `filter`, without its class.
            const isInstance = Reflect.get(entry[type as "Service"], "isInstance") as (one: unknown) => boolean;
            expect(resources.map((one) => isInstance(one))).toEqual([true, true]);
        }
    });
});

test("a provider of another copy is recognized, and its deletionProtection gives a service Pulumi's protect", () => {
    const isProtected = (resource: pulumi.Resource) => Reflect.get(resource, "__protect") === true;
    const provider = new copy.native.Provider("theirs", { deletionProtection: true });
    expect(native.Provider.isInstance(provider)).toBe(true);
    expect(native.Provider.__pulumiType).toBe(Reflect.get(provider, "__pulumiType"));
    expect(isProtected(new native.Service("orders", {}, { provider }))).toBe(true);
    const unprotected = new copy.native.Provider("others", { deletionProtection: false });
    expect(isProtected(new native.Service("bills", {}, { provider: unprotected }))).toBe(false);
});

test("an error is an instance of the same classes of each copy, and of no other", () => {
    const { ApiError, CloudDbError, ConfigError, ConnectionError, FunctionError } = dynamic;
    const error = new copy.dynamic.ConfigError("clouddb:baseUrl", "It is missing.");
    expect(error).not.toBe(undefined);
    const matching = (one: unknown) =>
        [ApiError, CloudDbError, ConfigError, ConnectionError, FunctionError].filter((each) => one instanceof each);
    expect(matching(error)).toEqual([CloudDbError, ConfigError]);
    expect(matching(new errors.ConfigError("clouddb:baseUrl", "It is missing."))).toEqual([CloudDbError, ConfigError]);
    expect([new Error("other"), {}, null, undefined, "text"].flatMap(matching)).toEqual([]);
    // Classes of programs.
    class Own extends ConfigError {}
    const Other = class Own extends ConfigError {};
    expect(new Own("setting", "text")).toBeInstanceOf(ConfigError);
    expect(new Own("setting", "text")).not.toBeInstanceOf(Other);
    expect(error).not.toBeInstanceOf(Own);
});
