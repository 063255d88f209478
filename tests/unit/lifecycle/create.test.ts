import { lifecycles } from "../../support/lifecycles";
import { CloudDbError } from "../../../provider/api/callErrors";
import { failureOf } from "../../support/client";
import { failure, linesOf, network, operations, refuse, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { Service, Vpc } = lifecycles;

describe("creations", () => {
    it("the initial password of a creation is kept through updates, reads and failures", async () => {
        const world = await simulate();
        world.fault.at("setHA", refuse);
        const declared = service({ replicaCount: 2, syncReplicaCount: 1 });
        const failed = await failure(Service.create(declared, world.run()));
        expect(failed.state).toMatchObject({ record: { interruption: "creation" } });
        const { initialPassword } = failed.state as typeof failed.state & { initialPassword: string };
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

    it("a creation ends although the list never shows the new resource", async () => {
        const world = await simulate({ durations: { notListedAfterCreate: 3_600_000 } });
        await Vpc.create(network, world.run());
        expect(world.warnings).toEqual([]);
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
});

describe("a creation whose response with the initial password is lost", () => {
    interface Secrets {
        readonly initialPassword?: string;
        readonly connectionString?: string;
    }

    it.each(["createService:reset-after", "createService:truncated", "createService:502,body=html,carriedOut"])(
        "sets a new one (%s)",
        async (fault) => {
            const world = await simulate({ faults: [fault] });
            const { id, state } = await Service.create(service(), world.run());
            const { initialPassword = "", connectionString } = state as Secrets;
            expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
            expect(connectionString).toContain(`:${initialPassword}@`);
            expect(linesOf(Service.plan(state, service()))).toEqual([]);
        },
    );

    it("sets a new one in the next run if the first run failed before that", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "updatePassword:400"] });
        const { id, state } = await failure(Service.create(service(), world.run()));
        expect(linesOf(Service.plan(state as never, service()))).toEqual([
            "set the initial password, because the current one is unknown",
        ]);
        const next = await Service.update(id, state as never, service(), world.run());
        expect(world.emulator.passwordMatches(id, (next as Secrets).initialPassword ?? "")).toBe(true);
        expect(linesOf(Service.plan(next, service()))).toEqual([]);
    });

    it("sets only the declared password if there is one", async () => {
        const world = await simulate({ faults: ["createService:reset-after"] });
        const { id } = await Service.create(service({ password: "declared-password" }), world.run());
        expect(world.emulator.passwordMatches(id, "declared-password")).toBe(true);
        expect(operations(world).filter((call) => call === "updatePassword")).toHaveLength(1);
    });
});
