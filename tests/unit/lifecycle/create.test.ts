import type { EmulatorOptions, Interceptor } from "../../../emulator";
import { Lifecycle, lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { secretOutput } from "../../../provider/model/outputs";
import { secret, text } from "../../../provider/base/fields";
import { CloudDbError } from "../../../provider/api/callErrors";
import { failureOf } from "../../support/client";
import { failure, linesOf, lowerNames, network, operations, replicaSet, service, timed } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { ReadReplicaSet, Service, Vpc } = lifecycles;

it.each([
    ["rejects the request", "createService#1:402", true],
    ["rejects the fork", "forkService#1:402", true],
    ["rejects a read before it, which is not worth a remark", "listServices#1:402", false],
])("the message of a creation says that nothing was created if the API %s", async (_, fault, isCertain) => {
    const world = await simulate();
    const source = await Service.create(service({ name: "source" }), world.run());
    world.emulator.addFaults([fault]);
    const fork = fault.startsWith("fork") ? { fork: { serviceId: source.id, strategy: "NOW" as const } } : {};
    const creation = Service.create(service({ name: "orders", ...fork }), world.run());
    const { parts } = await failureOf(creation, CloudDbError);
    expect(parts).toMatchObject({ ways: [{ label: "Payment" }] });
    expect(parts.what).toMatch(/^Service "orders" was not created: 402 /);
    expect(parts.what.endsWith("Nothing was created.")).toBe(isCertain);
    expect(world.emulator.snapshot().services).toHaveLength(1);
});

it("a creation ends although the list never shows the new resource", async () => {
    const world = await simulate({ durations: { notListedAfterCreate: 3_600_000 } });
    await Vpc.create(network, world.run());
    expect(world.warnings).toEqual([]);
});

describe("a creation whose response with the initial password is lost", () => {
    interface Secrets {
        readonly initialPassword?: string;
        readonly connectionString?: string;
    }

    const withoutPassword: Interceptor = async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        const body = answer.body.replace(/"initial_password":"[^"]*",?/, "");
        return operationId === "createService" ? { ...answer, body } : answer;
    };

    it.each<[string, EmulatorOptions]>([
        ...["createService:reset-after", "createService:truncated", "createService:502,body=html,carriedOut"].map(
            (fault): [string, EmulatorOptions] => [fault, { faults: [fault] }],
        ),
        ["not lost, but without it", { intercept: withoutPassword }],
    ])("sets a new one (%s)", async (_, options) => {
        const world = await simulate(options);
        const { id, state } = await Service.create(service(), world.run());
        const { initialPassword = "", connectionString } = state as Secrets;
        expect(operations(world)).toContain("updatePassword");
        expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
        expect(connectionString).toContain(`:${initialPassword}@`);
        expect(linesOf(Service.plan(state, service()))).toEqual([]);
    });

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

describe("an API that shows another name than the declared one", () => {
    it("fails the creation of a service after the time of an effect, without a request; declaring what it shows ends it", async () => {
        const world = await simulate({ intercept: lowerNames });
        const orders = service({ name: "Orders", connectionPooler: true });
        const { error, tookMs } = await timed(world, () => Service.create(orders, world.run()));
        expect(error?.message).toContain('without lasting effect (name is "orders", declared "Orders")');
        expect(error?.message).toContain("Continue: declare the value that the API shows, or remove the property");
        expect(tookMs).toBeGreaterThan(40_000);
        expect(tookMs).toBeLessThan(60_000);
        expect(operations(world)).toEqual(["createService"]);
        const { id, state } = error as never as { id: string; state: never };
        const shown = { ...orders, name: "orders" };
        const completed = await Service.update(id, state, shown, world.run());
        expect(operations(world)).toEqual(["enablePooler"]);
        expect(Service.plan(completed, shown)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
    });

    it("completes the creation of a read replica set, which only a replacement renames, if only letters differ", async () => {
        const world = await simulate({ intercept: lowerNames });
        const { id: serviceId } = await Service.create(service({ name: "orders" }), world.run());
        const readers = { ...replicaSet(serviceId), name: "Readers" };
        const { state } = await ReadReplicaSet.create(readers, world.run());
        expect(state.name).toBe("Readers");
        expect(ReadReplicaSet.plan(state, readers)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
        expect(ReadReplicaSet.plan(state, { ...readers, name: "others" }).replace).toHaveLength(1);
    });
});

describe("a kind whose create request contains a secret that no read shows", () => {
    const { resource } = untypedLifecycles.Vpc;
    const token = "secret-token";
    const tokenOf = (declared: object) => (declared as { readonly token?: unknown }).token;
    const WithToken = new Lifecycle({
        ...resource,
        fields: { ...resource.fields, token: secret("update", text()) } as never,
        outputs: { ...resource.outputs, token: secretOutput },
        steps: (state, declared) =>
            tokenOf(state) === tokenOf(declared)
                ? []
                : [{ call: { operation: "renameVpc" }, title: "set the token", secretNoun: "token" } as never],
        creation: {
            ...resource.creation,
            describe: (declared) => {
                const { text: line, sets } = resource.creation.describe(declared);
                return { text: line, sets: { ...sets, token: tokenOf(declared) } };
            },
        },
    });
    const declared = { ...network, token };

    it("plans no step for it", async () => {
        const world = await simulate();
        expect(WithToken.describeCreation(declared)).toHaveLength(1);
        const { state } = await WithToken.create(declared, world.run());
        expect(state).toMatchObject({ token });
        expect(WithToken.plan(state, declared)).toMatchObject({ steps: [], stateChanges: [] });
    });

    it("resumes an interrupted creation without waiting for it", async () => {
        const world = await simulate({ faults: ["getVpc#1+:503"] });
        const { id, state } = await failure(WithToken.create(declared, world.run()));
        world.emulator.clearFaults();
        const { tookMs } = await timed(world, () => WithToken.update(id, state, declared, world.run()));
        expect(tookMs).toBeLessThan(5_000);
    });
});
