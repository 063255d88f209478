import {
    ComponentResource,
    mergeOptions,
    type CustomResourceOptions,
    type ResourceTransformation,
} from "@pulumi/pulumi";
import { ProductionDatabase, Service, Vpc, type ServiceArgs, type VpcArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, type Options, type Program, type TestStack } from "../support/engine";

// Identity: after a rename or a move, the provider protects a database as if it had always had its current name.

afterAll(removeStacks);

const limitMs = 180_000;

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
});

const databases = () => stack.emulator.snapshot().services.map(({ service_id: id }) => id);
const isDeleted = () => stack.calls().includes("deleteService");

class Shop extends ComponentResource {
    constructor(name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}) {
        super("test:index:Shop", name);
        new Service("orders", args, { ...opts, parent: this });
    }
}

const service =
    (name: string, args: ServiceArgs = {}, opts: CustomResourceOptions = {}): Program =>
    () => {
        new Service(name, args, opts);
    };
const renamed = (opts: CustomResourceOptions = {}, args: ServiceArgs = {}) =>
    service("main", args, { aliases: [{ name: "orders" }], ...opts });

/** A run that must fail, and the same when a pipeline repeats it: the database stays. */
async function isRefused(program: Program, options: Options = {}, message = /is not deleted|would be replaced/) {
    const [id = ""] = databases();
    stack.calls();
    const first = await failed(stack.up(program, options));
    expect(first.errors.join("\n")).toMatch(message);
    expect(databases()).toContain(id);
    const second = await failed(stack.up(program));
    expect(second.errors.join("\n")).toMatch(message);
    expect(databases()).toContain(id);
    expect(isDeleted()).toBe(false);
    return id;
}

const taint = async (name: string) => {
    await stack.pulumi("state", "taint", (await stack.state(name)).urn, "--yes");
};

// tests/faults/model/regressions.test.ts has more of these histories, on both hosts.
describe("replacements by the engine after a rename", () => {
    test.each<[string, () => Promise<Options>]>([
        ["--replace", async () => ({ replace: [(await stack.state("main")).urn] })],
        [
            "a taint after a refresh",
            async () => {
                await stack.refresh();
                await taint("main");
                return {};
            },
        ],
    ])(
        "%s after a rename by alias keeps the database, even when the run is repeated, until the program allows it",
        async (_, replace) => {
            await stack.up(service("orders"));
            await stack.up(renamed());
            const options = await replace();

            const id = await isRefused(renamed(), options);
            await stack.up(renamed({}, { allowReplace: true }));
            expect(databases()).toHaveLength(1);
            expect(databases()).not.toContain(id);
        },
        limitMs,
    );

    test(
        "a taint in the same run as the rename keeps the database, even when the alias is removed afterwards",
        async () => {
            await stack.up(service("orders"));
            await taint("orders");
            const id = await isRefused(renamed());
            await failed(stack.up(service("main")));
            expect(databases()).toContain(id);
        },
        limitMs,
    );

    test(
        "a taint in the same run as a rename by an alias that a transformation adds keeps the database",
        async () => {
            await stack.up(service("orders"));
            expect((await stack.state("orders")).inputs).not.toHaveProperty("__formerUrns");
            await taint("orders");
            const addAlias: ResourceTransformation = ({ props, opts }) => ({
                props,
                opts: mergeOptions(opts, { aliases: [{ name: "orders" }] }),
            });
            await isRefused(service("main", {}, { transformations: [addAlias] }));
        },
        limitMs,
    );

    test(
        "a taint after `pulumi state rename` keeps the database, in the next run and after one without changes",
        async () => {
            await stack.up(service("orders", { name: "first" }, { deleteBeforeReplace: true }));
            await stack.pulumi("state", "rename", (await stack.state("orders")).urn, "main", "--yes");
            await taint("main");
            const named = service("main", { name: "first" }, { deleteBeforeReplace: true });
            await isRefused(named);
            await stack.pulumi("state", "untaint", (await stack.state("main")).urn, "--yes");
            await stack.up(named, { expectNoChanges: true });
            await taint("main");
            await isRefused(named);
        },
        limitMs,
    );

    test(
        "a deletion that is the first call of the run knows the new name: --exclude after a reverted rename, and destroy",
        async () => {
            await stack.up(service("orders"));
            const { urn } = await stack.state("orders");
            await stack.pulumi("state", "rename", urn, "main", "--yes");
            await stack.up(service("main"), { expectNoChanges: true });
            stack.calls();
            for (let run = 0; run < 2; run += 1) {
                const { errors } = await failed(stack.up(service("orders"), { exclude: [urn] }));
                expect(errors.join("\n")).toContain(`is not deleted: it may be '${urn}' before a move`);
            }
            expect(isDeleted()).toBe(false);
            await stack.up(service("main"));
            await stack.destroy({ runProgram: true });
            expect(databases()).toEqual([]);
        },
        limitMs,
    );

    test(
        "a taint after a rename of a ProductionDatabase keeps the database",
        async () => {
            const args = { cpuMillis: 500, deletionProtection: false };
            await stack.up(() => {
                new ProductionDatabase("orders", args);
            });
            const program = () => {
                new ProductionDatabase("main", args, { aliases: [{ name: "orders" }] });
            };
            const { urn } = (await stack.resources()).find(({ type }) => type.endsWith(":Service")) ?? { urn: "" };
            await stack.pulumi("state", "taint", urn, "--yes");
            await isRefused(program);
        },
        limitMs,
    );
});

describe("moves to another parent", () => {
    test(
        "a service that moves under a parent without an alias is kept, even when the run is repeated, and an alias adopts it",
        async () => {
            await stack.up(service("orders"));
            await stack.up(renamed());
            await stack.up(service("main"));
            const { urn: oldUrn } = await stack.state("main");
            class Place extends ComponentResource {
                constructor(opts: CustomResourceOptions = {}) {
                    super("test:index:Place", "place");
                    new Service("main", {}, { ...opts, parent: this });
                }
            }
            const program = () => {
                new Place();
            };
            const id = await isRefused(program, {}, /is not deleted: the program declares .*::main"\] to its options/);
            // What the message asks for.
            const { urn } = (await stack.resources()).find((one) => one.urn.includes("Place$")) ?? { urn: "" };
            await stack.destroy({ target: [urn] });
            await stack.up(() => {
                new Place({ aliases: [oldUrn] });
            });
            expect(databases()).toEqual([id]);
            expect(await stack.entries("main")).toMatchObject([{ id }]);
        },
        limitMs,
    );

    test.each<[string, () => ServiceArgs]>([
        ["in the state", () => ({})],
        ["not created, because its name exists", () => ({ name: "orders" })],
    ])(
        "--exclude of the new service and --target of the old one do not lift the refusal of a move (the new one: %s)",
        async (_, args) => {
            await stack.up(service("orders", args()));
            const { id, urn } = await stack.state("orders");
            const newUrn = urn.replace(/([^:]+:[^:]+:[^:]+)::orders$/, "test:index:Shop$$$1::orders");
            const moved = (more: ServiceArgs = {}) => {
                return () => {
                    new Shop("shop", { ...args(), ...more });
                };
            };
            await failed(stack.up(moved()));
            for (const options of [{ exclude: [newUrn] }, { target: [urn] }]) {
                const { errors } = await failed(stack.up(moved(), options));
                expect(errors.join("\n")).toContain(
                    `Service ${id} is not deleted: it may be '${newUrn}' before a move`,
                );
            }
            expect(databases()).toContain(id);
            await stack.up(moved({ allowReplace: true }), { target: [urn] });
            expect(databases()).not.toContain(id);
        },
        limitMs,
    );

    test(
        "--exclude of the new service does not lift the refusal of a move after the new one was renamed, and `state delete` does",
        async () => {
            await stack.up(service("orders"));
            const { id, urn } = await stack.state("orders");
            await failed(
                stack.up(() => {
                    new Shop("shop");
                }),
            );
            const newUrn = urn.replace(/([^:]+:[^:]+:[^:]+)::orders$/, "test:index:Shop$$$1::orders");
            await stack.pulumi("state", "rename", newUrn, "main", "--yes");
            class Store extends ComponentResource {
                constructor() {
                    super("test:index:Shop", "shop");
                    new Service("main", {}, { parent: this });
                }
            }
            const program = () => {
                new Store();
            };
            const renamedUrn = newUrn.replace(/orders$/, "main");
            for (const options of [{}, { exclude: [renamedUrn] }, { target: [urn] }]) {
                const { errors } = await failed(stack.up(program, options));
                expect(errors.join("\n")).toContain(`Service ${id} is not deleted`);
            }
            await stack.pulumi("state", "delete", urn, "--yes");
            await stack.up(program);
            expect(databases()).toContain(id);
        },
        limitMs,
    );

    test(
        "two services with one resource name under different parents are two services: either can be removed",
        async () => {
            const both = () => {
                new Service("orders");
                new Shop("shop");
            };
            await stack.up(both);
            expect(databases()).toHaveLength(2);
            await stack.up(service("orders"));
            expect(databases()).toHaveLength(1);
            await stack.up(both);
            await stack.up(() => {
                new Shop("shop");
            });
            expect(databases()).toHaveLength(1);
        },
        limitMs,
    );

    test(
        "two services with one resource name are deleted by `destroy --run-program`, and the later one is with --exclude of the other",
        async () => {
            const both = () => {
                const { id } = new Service("orders");
                new Shop("shop", { name: id.apply((known) => `second-${known}`) });
            };
            await stack.up(both);
            const { urn } = await stack.state("orders");
            await stack.up(service("orders"), { exclude: [urn] });
            expect(databases()).toHaveLength(1);
            await stack.up(both);
            await stack.destroy({ runProgram: true });
            expect(databases()).toEqual([]);
        },
        limitMs,
    );
});

test(
    "a resource that got its name by an alias, and whose old name another resource has, is deleted normally",
    async () => {
        await stack.up(service("orders"));
        const [old = ""] = databases();
        const legacy = () => new Service("legacy", {}, { aliases: [{ name: "orders" }] });
        await stack.up(() => void legacy());
        const both = (args: ServiceArgs) => () => {
            legacy();
            new Service("orders", args);
        };
        const { errors } = await failed(stack.up(both({})));
        expect(errors.join("\n")).toContain('resource "legacy" of this program manages it');
        await stack.up(both({ name: "second" }));
        await stack.up(service("orders", { name: "second" }));
        expect(databases()).toHaveLength(1);
        expect(databases()).not.toContain(old);
    },
    limitMs,
);

describe("adoptions that are not complete", () => {
    const prepare = async (inputs: ServiceArgs = {}) => {
        await stack.up(service("orders", { name: "first" }));
        const [id = ""] = databases();
        stack.calls();
        return { id, adopting: service("main", { name: "first", existingId: id, ...inputs }) };
    };

    test.each([
        ["failed", "getService" as const, {}],
        ["failed halfway", "updatePassword" as const, { password: "a-new-password" }],
    ])(
        "--continue-on-error does not delete the old entry of a database whose adoption %s",
        async (_, operation, inputs) => {
            const { id, adopting } = await prepare(inputs);
            for (let run = 0; run < 2; run += 1) {
                stack.emulator.addFaults([{ operation, effect: { kind: "answer", status: 400 } }]);
                const { errors } = await failed(stack.up(adopting, { continueOnError: true }));
                expect(errors.join("\n")).toContain(`Service ${id} is not deleted: "main" adopts it`);
            }
            stack.emulator.clearFaults();
            expect((await stack.state("orders")).outputs).toHaveProperty("initialPassword.ciphertext");

            await stack.up(adopting);
            expect(databases()).toEqual([id]);
            expect(isDeleted()).toBe(false);
            expect(await stack.entries("orders")).toEqual([]);
        },
        limitMs,
    );

    test(
        "--target of the old entry, or --exclude of the resource that has adopted its database, does not delete it",
        async () => {
            const { id, adopting } = await prepare();
            const { urn: old } = await stack.state("orders");
            const urn = old.replace(/orders$/, "main");
            await stack.up(adopting, { target: [urn] });
            const adopted = service("main", { name: "first" });
            const withAlias = service("main", { name: "first" }, { aliases: [{ name: "orders" }] });
            for (const program of [adopted, withAlias]) {
                for (const options of [{ target: [old] }, { exclude: [urn] }]) {
                    const { errors } = await failed(stack.up(program, options));
                    expect(errors.join("\n")).toContain("this run leaves that out. Run `pulumi up` without --target");
                }
            }
            await stack.up(adopted);
            expect(databases()).toEqual([id]);
            expect(isDeleted()).toBe(false);
            expect(await stack.entries("orders")).toEqual([]);
        },
        limitMs,
    );

    test(
        "--target of the old entry, or --exclude of the resource that has adopted its VPC, does not delete the VPC",
        async () => {
            const args = { name: "net", cidr: "10.0.0.0/21", regionCode: "us-east-1" };
            const vpc = (name: string, more: Partial<VpcArgs> = {}) => {
                return () => {
                    new Vpc(name, { ...args, ...more });
                };
            };
            await stack.up(vpc("network"));
            const { id, urn: old } = await stack.state("network");
            const urn = old.replace(/network$/, "main");
            await stack.up(vpc("main", { existingId: id }), { target: [urn] });
            for (const options of [{ target: [old] }, { exclude: [urn] }]) {
                const { errors } = await failed(stack.up(vpc("main"), options));
                expect(errors.join("\n")).toContain(`VPC ${id} is not deleted: it may be '${urn}'`);
            }
            await stack.up(vpc("main"));
            expect(stack.emulator.snapshot().vpcs).toMatchObject([{ id }]);
            expect(await stack.entries("network")).toEqual([]);
        },
        limitMs,
    );

    test(
        "--exclude of the resource that adopts a database does not delete it",
        async () => {
            const { id, adopting } = await prepare();
            const urn = (await stack.state("orders")).urn.replace(/orders$/, "main");
            const { errors } = await failed(stack.up(adopting, { exclude: [urn] }));
            expect(errors.join("\n")).toContain(`Service ${id} is not deleted: "main" adopts it`);
            await stack.up(adopting);
            expect(databases()).toEqual([id]);
            expect(isDeleted()).toBe(false);
            await stack.destroy();
            expect(databases()).toEqual([]);
        },
        limitMs,
    );
});
