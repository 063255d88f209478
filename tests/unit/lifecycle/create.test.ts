import { nameFrom } from "../../../provider/inputs/names";
import { lifecycles } from "../../support/lifecycles";
import { CloudDbError } from "../../../provider/api/errors";
import { AlreadyExistsError } from "../../../provider/lifecycle/errors";
import type { ServiceInputs } from "../../../provider/resources/service/service";
import { failureOf } from "../../support/client";
import {
    activation,
    call,
    failure,
    linesOf,
    loseResponse,
    network,
    operations,
    peering,
    refuse,
    replicaSet,
    service,
} from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";

const { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } = lifecycles;

describe("creations", () => {
    it("the initial password of a creation is kept through updates, reads and failures", async () => {
        const world = await simulate();
        world.fault.at("setHA", refuse);
        const declared = service({ replicaCount: 2, syncReplicaCount: 1 });
        const failed = await failure(Service.create(declared, world.run()));
        const { initialPassword } = failed.state as { initialPassword: string };
        expect(world.emulator.passwordMatches(failed.id, initialPassword)).toBe(true);
        world.fault.over();
        const next = await Service.update(failed.id, failed.state as never, declared, world.run());
        const seen = await Service.read(failed.id, next, world.run());
        expect(seen?.state).toMatchObject({ initialPassword });
        expect(seen?.state).toHaveProperty("connectionString", expect.stringContaining(`:${initialPassword}@`));
    });

    it.each([
        [
            "rejects the request, and is certain about it",
            "createService#1:402",
            /^Service "orders" was not created: 402 .*\. Nothing was created\.\nPayment: /,
        ],
        [
            "rejects the fork",
            "forkService#1:402",
            /^Service "orders" was not created: 402 .*\. Nothing was created\.\nPayment: /,
        ],
        ["rejects a read before it", "listServices#1:402", /^Service "orders" was not created: 402 .*\.\nPayment: /],
    ])("the message of a creation says that nothing was created if the API %s", async (_, faultText, expected) => {
        const world = await simulate();
        const source = await Service.create(service({ name: "source" }), world.run());
        world.emulator.addFaults([faultText]);
        const fork = faultText.startsWith("fork") ? { fork: { serviceId: source.id, strategy: "NOW" as const } } : {};
        const { message } = await failureOf(
            Service.create(service({ name: "orders", ...fork }), world.run()),
            CloudDbError,
        );
        expect(message).toMatch(expected);
        expect(message.includes("Nothing was created")).toBe(!faultText.startsWith("list"));
        expect(world.emulator.snapshot().services).toHaveLength(1);
    });

    describe("a creation whose name is taken fails with", () => {
        const create = (world: Simulation, change: ServiceInputs = {}) =>
            Service.create(service({ name: "orders", ...change }), world.run());
        const aged = expect.stringMatching(/^created \d+ min( \d+ s)? ago, 500m\/2GB$/) as string;

        it("every existing service of the same name, its age and its size", async () => {
            const world = await simulate();
            const { id } = await create(world);
            const other = await create(world, { name: "other" });
            world.emulator.updateService(other.id, { name: "orders" });
            world.clock.advance(120_000);
            const { existing } = await failureOf(create(world), AlreadyExistsError);
            expect(existing).toEqual([id, other.id].map((one) => ({ id: one, description: aged, refusal: undefined })));
            expect(world.emulator.snapshot().counts.services.made).toBe(2);
        });

        it("the reason why the existing service cannot be adopted", async () => {
            const world = await simulate();
            const { id } = await create(world, { regionCode: "us-east-1" });
            const { existing } = await failureOf(create(world, { regionCode: "eu-west-1" }), AlreadyExistsError);
            expect(existing).toMatchObject([{ id, refusal: "it is in us-east-1, and the program declares eu-west-1" }]);
        });

        it("the existing peering, which has no name", async () => {
            const world = await simulate({ peerings: "immediate" });
            const { id: vpcId } = await Vpc.create(network, world.run());
            const { id } = await Peering.create(peering(vpcId), world.run());
            const error = await failureOf(Peering.create(peering(vpcId), world.run()), AlreadyExistsError);
            expect(error).toMatchObject({ subject: 'Peering "peer"', existing: [{ id, refusal: undefined }] });
        });
    });

    it.each([1, 2])("a creation finds a service of the same name although list %i of two is stale", async (stale) => {
        let lists = stale;
        const world = await simulate({
            intercept: async ({ operationId }, carryOut) => {
                const response = await carryOut();
                const isStale = operationId === "listServices" && ++lists % 2 === 0;
                return isStale ? { ...response, body: response.body.replaceAll('"orders"', '"older"') } : response;
            },
        });
        const { service_id: id } = await call(world, "createService", {}, { name: "orders" });
        const again = Service.create(service({ name: "orders" }), world.run());
        await expect(again).rejects.toThrow(`existingId: "${id}"`);
    });

    it("a creation ends although the list never shows the new resource", async () => {
        const world = await simulate({ durations: { notListedAfterCreate: 3_600_000 } });
        await Vpc.create(network, world.run());
        expect(world.warnings).toEqual([]);
    });

    it("a lost creation of a kind without a time of creation is found by the list before it", async () => {
        const world = await simulate();
        world.fault.at("createVpc", loseResponse, 1);
        const net = await Vpc.create(network, world.run());
        world.fault.at("createPeering", loseResponse, 1);
        await Peering.create(peering(net.id), world.run());
        const db = await Service.create(service(), world.run());
        world.fault.at("createReplicaSet", loseResponse, 1);
        await ReadReplicaSet.create(replicaSet(db.id), world.run());
        expect(world.infos).toEqual(Array(3).fill(expect.stringContaining("the provider found and adopted")));
        const { vpcs, services } = world.emulator.snapshot();
        expect([vpcs.length, services.flatMap((one) => one.read_replica_sets ?? []).length]).toEqual([1, 1]);
    });

    describe("lost responses", () => {
        /** Another client creates a resource of the same name, and the response to the creation is lost. */
        const withOtherCreation = async (
            operation: string,
            createOther: (world: Simulation) => Promise<unknown>,
            carriedOut: boolean,
        ) => {
            const world = await simulate();
            world.fault.at(operation, async (_, carryOut) => {
                world.fault.over();
                await createOther(world);
                if (carriedOut) {
                    await carryOut();
                }
                return { status: 502, headers: {}, body: "" };
            });
            return world;
        };

        it("a creation whose response is lost does not choose between two resources that it may have created", async () => {
            const theirs = (world: Simulation) => call(world, "createService", {}, { name: "orders" });
            const world = await withOtherCreation("createService", theirs, true);
            const [first, second] = [0, 1].map((index) => () => world.emulator.snapshot().services[index]?.service_id);
            const work = Service.create(service({ name: "orders" }), world.run());
            await expect(work).rejects.toThrow(/resources with that name have since appeared/);
            await expect(work).rejects.toThrow(`existingId: "${first?.() ?? ""}" or existingId: "${second?.() ?? ""}"`);
            expect(operations(world)).not.toContain("updatePassword");
        });

        it.each([
            { what: "another region", declared: { regionCode: "us-east-1" } },
            { what: "another type", declared: { addons: ["time-series" as const] } },
        ])("a creation whose response is lost does not use a resource of $what", async ({ declared }) => {
            const body = { name: "orders", region_code: "eu-west-1", addons: ["ai" as const] };
            const theirs = (world: Simulation) => call(world, "createService", {}, body);
            const world = await withOtherCreation("createService", theirs, false);
            const work = Service.create(service({ name: "orders", ...declared }), world.run());
            await expect(work).rejects.toThrow("may not have been created: 502");
        });

        it("a creation whose response is lost does not use a VPC with another network", async () => {
            const body = { name: "net", cidr: "10.9.0.0/16", region_code: "us-east-1" };
            const world = await withOtherCreation("createVpc", (other) => call(other, "createVpc", {}, body), false);
            await expect(Vpc.create({ ...network, name: "net" }, world.run())).rejects.toThrow(
                "may not have been created: 502",
            );
        });

        describe.each([
            ["an explicit name", service({ name: "orders" }), "orders"],
            ["a generated name, which another backend can have", service(), nameFrom(service().__urn)],
        ])("with %s", (_, orders, name) => {
            /** The create request never arrives; another stack creates a service of that name two seconds later. */
            const overtaken = async () => {
                const world = await simulate();
                world.fault.at("createService", () => {
                    let lists = 0;
                    world.fault.at("listServices", async (_, carryOut) => {
                        lists += 1;
                        if (lists === 5) {
                            await call(world, "createService", {}, { name });
                        }
                        return carryOut();
                    });
                    return Promise.resolve({ status: 502, headers: {}, body: "" });
                });
                return world;
            };

            it("a creation whose response is lost does not adopt the database that another stack created after the request", async () => {
                const world = await overtaken();
                const error: unknown = await Service.create(orders, world.run()).catch((caught: unknown) => caught);
                const id = String(world.emulator.snapshot().services[0]?.service_id);
                expect((error as Error).message).toMatch(
                    new RegExp(`somebody else created ${id} \\(created .* s? ago, .*\\)\\.\n.*existingId: "${id}"`),
                );
                expect(operations(world)).toEqual(["createService"]);
                await expect(Service.create(orders, world.run())).rejects.toThrow(AlreadyExistsError);
                expect(operations(world)).toEqual([]);
            });

            it("a creation whose response is lost adopts the database that was created while the request was in flight", async () => {
                const world = await simulate();
                world.fault.at("createService", loseResponse, 1);
                const { id, state } = await Service.create(orders, world.run());
                const { initialPassword = "" } = state as { initialPassword?: string };
                expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
                expect(world.emulator.snapshot().counts.services.made).toBe(1);
            });

            it.each([-3_600_000, 3_600_000])(
                "a creation whose response is lost compares times of the API's clock, even if the local clock is off by %i ms",
                async (offMs) => {
                    const world = await simulate({}, offMs);
                    world.fault.at("createService", loseResponse, 1);
                    await Service.create(orders, world.run());
                    expect(world.emulator.snapshot().counts.services.made).toBe(1);
                },
            );

            it("a creation whose response is lost adopts nothing if the API sends no Date header", async () => {
                const world = await simulate({
                    intercept: async (_, carryOut) => {
                        const { status, body, headers } = await carryOut();
                        return { status, body, headers: { ...headers, date: "" } };
                    },
                });
                world.fault.at("createService", loseResponse, 1);
                await expect(Service.create(orders, world.run())).rejects.toThrow(
                    /Either this run or somebody else created/,
                );
            });

            it("a creation whose response is lost does not adopt a database that was created at the same moment but differs from the request", async () => {
                const body = { name, environment_tag: "PROD" } as const;
                const theirs = (world: Simulation) => call(world, "createService", {}, body);
                const world = await withOtherCreation("createService", theirs, false);
                await expect(Service.create(orders, world.run())).rejects.toThrow(
                    /Either this run or somebody else created/,
                );
            });

            it("a creation whose response is lost does not choose before a second resource can be in the list", async () => {
                const world = await simulate();
                world.fault.at("createService", async (_, carryOut) => {
                    world.fault.over();
                    await call(world, "createService", {}, { name });
                    world.emulator.addFaults(["createService:hidden,ms=8000"]);
                    await carryOut();
                    return { status: 502, headers: {}, body: "" };
                });
                await expect(Service.create(orders, world.run())).rejects.toThrow(
                    /resources with that name have since appeared/,
                );
            });
        });

        it("a creation whose response is lost does not use the resource that it replaces", async () => {
            let hidden = "";
            const world = await simulate({
                intercept: async (exchange, carryOut) => {
                    if (exchange.operationId === "createService" && hidden !== "") {
                        hidden = "";
                        return { status: 502, headers: {}, body: "" };
                    }
                    const answer = await carryOut();
                    return exchange.operationId === "listServices" && hidden !== ""
                        ? { ...answer, body: "[]" }
                        : answer;
                },
            });
            const { id } = await Service.create(service({ name: "orders" }), world.run());
            hidden = id;
            const again = Service.create(service({ name: "orders" }), world.run({ replacing: id }));
            await expect(again).rejects.toThrow("may not have been created: 502");
        });
    });

    it("a creation whose response has no password sets one", async () => {
        const world = await simulate({
            intercept: async (exchange, carryOut) => {
                const answer = await carryOut();
                if (exchange.operationId !== "createService") {
                    return answer;
                }
                const { initial_password: password, ...rest } = JSON.parse(answer.body) as Record<string, unknown>;
                expect(password).toBeDefined();
                return { ...answer, body: JSON.stringify(rest) };
            },
        });
        const { id, state } = await Service.create(service(), world.run());
        const { initialPassword = "" } = state as { initialPassword?: string };
        expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
    });

    it("the failed creation of a peering reports the reason and keeps the peering in the state", async () => {
        const world = await simulate({ peerings: { fail: "the other side said no" } });
        const net = await Vpc.create(network, world.run());
        const failed = await failure(Peering.create(peering(net.id), world.run()));
        expect(failed.message).toContain("the other side said no");
        expect(failed.id).toMatch(/^\d+\/\d+$/);
        expect(failed.state).toMatchObject({ errorMessage: "the other side said no" });
    });

    it("the creation of a peering reports what the other account has to do, or ends when the peering can be accepted", async () => {
        const world = await simulate({ peerings: "acceptance" });
        const net = await Vpc.create(network, world.run());
        const peer = peering(net.id);
        const { id, state } = await Peering.create({ ...peer, waitFor: "provisioned" }, world.run());
        expect(state.provisionedId).toBeDefined();
        await failure(Peering.update(id, state, peer, world.run({ timeMs: 5_000 })));
        expect(world.statusLines.join("\n")).toContain(
            `waiting for account 123 to accept ${state.provisionedId ?? ""}`,
        );

        world.emulator.acceptPeering(state.peeringId);
        const active = await PeeringActivation.create(activation(net.id, state.peeringId), world.run());
        expect(active.state).toMatchObject({ status: "active" });
        await PeeringActivation.delete(active.id, active.state, world.run());
        expect(world.emulator.snapshot().peerings).toHaveLength(1);
    });
});

describe("forks", () => {
    it.each(["LAST_SNAPSHOT", "NOW", "PITR"] as const)(
        "a fork by %s is created and brought to the declared state",
        async (strategy) => {
            const world = await simulate();
            const parent = await Service.create(service({ name: "parent", addons: ["time-series"] }), world.run());
            const targetTime = new Date(world.clock.now()).toISOString();
            world.clock.advance(60_000);
            const fork = { serviceId: parent.id, strategy, ...(strategy === "PITR" ? { targetTime } : {}) };
            const declared = service({
                name: "copy",
                fork,
                replicaCount: 1,
                environment: "PROD",
                cpuMillis: 1000,
                memoryGbs: 4,
            });
            const { state } = await Service.create(declared, world.run());
            expect(state).toMatchObject({
                forkedFrom: { serviceId: parent.id },
                replicaCount: 1,
                environment: "PROD",
                cpuMillis: 1000,
            });
            expect(state).toHaveProperty("initialPassword");
            expect(linesOf(Service.plan(state, declared))).toEqual([]);
        },
    );
});
