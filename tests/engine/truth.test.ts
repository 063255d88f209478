import { ReadReplicaSet, Service } from "../../sdk/nodejs";
import { failed, startStack, type EngineRun, type TestStack } from "../support/engine";
import { blind, losesPasswords } from "../support/lostAnswers";

// What a run says is true although an earlier one was interrupted, or its token sees nothing.

describe("an interrupted resize that is reverted together with an input of the state alone", () => {
    let stack: TestStack;
    const size = (cpuMillis: number) => ({ cpuMillis, memoryGbs: cpuMillis / 250 });
    const program =
        ({ orders = 500, readers = 500, password = "the-first-password", more = {}, update = "5m" }) =>
        () => {
            const options = { customTimeouts: { update } };
            const service = new Service("orders", { ...size(orders), password, ...more }, options);
            const { serviceId, currentPassword } = service;
            new ReadReplicaSet("readers", { serviceId, password: currentPassword, ...size(readers) }, options);
        };

    beforeAll(async () => {
        stack = await startStack({ durations: { resize: 100_000, replicaSetResize: 100_000 } });
        await stack.up(program({}));
    });

    /** Expects that the platform has the sizes that the state says. */
    async function expectSmall(): Promise<void> {
        const [service] = stack.emulator.snapshot().services;
        expect(service?.resources[0]?.spec).toMatchObject({ cpu_millis: 500 });
        expect(service?.read_replica_sets).toMatchObject([{ cpu_millis: 500 }]);
        expect((await stack.refresh()).operations).toEqual({ orders: "same", readers: "same" });
    }

    test("of a service, whose sslMode changes", async () => {
        await failed(stack.up(program({ orders: 1000, update: "1s" })));
        stack.calls();
        await stack.up(program({ more: { sslMode: "verify-full" } }));
        expect(stack.calls()).toEqual(["resizeService"]);
        await expectSmall();
    });

    test("of a replica set, whose password is that of its service", async () => {
        const more = { sslMode: "verify-full" };
        await failed(stack.up(program({ readers: 1000, update: "1s", more })));
        stack.calls();
        await stack.up(program({ password: "the-second-password", more }));
        expect(stack.calls()).toEqual(["updatePassword", "resizeReplicaSet"]);
        await expectSmall();
    });
});

test("a password in force that no state has is said in each preview and each run, until the program declares one", async () => {
    const stack = await startStack();
    const { id: existingId } = await stack.emulator.createService({ name: "manual" });
    const program =
        (adopted: object, outside: object = {}) =>
        () => {
            new Service("adopted", { existingId, ...adopted });
            new Service("outside", outside);
        };
    const onlyAdopted = () => new Service("adopted", { existingId });
    const warning = "the password in force may be one that no state has: declare password";
    const warned = ({ messages }: EngineRun) =>
        Object.entries(messages).flatMap(([name, lines]) => (lines.includes(warning) ? [name] : []));
    expect(warned(await stack.up(onlyAdopted))).toEqual([]);

    stack.emulator.addFaults([{ times: "all", effect: losesPasswords(existingId) }]);
    stack.env({ OUTSIDE_PASSWORD: "outside-password" });
    const outside = { passwordVariable: "OUTSIDE_PASSWORD", passwordVersion: 1 };
    await failed(stack.up(program({ password: "the-first-password" }, outside), { continueOnError: true }));
    stack.emulator.clearFaults();
    expect(warned(await stack.up(program({})))).toEqual(expect.arrayContaining(["adopted", "outside"]));
    expect(stack.emulator.passwordMatches(existingId, "the-first-password")).toBe(true);
    for (const run of [stack.preview, stack.up]) {
        expect(warned(await run(program({}), { expectNoChanges: true })).sort()).toEqual(["adopted", "outside"]);
    }
    const password = "the-second-password";
    await stack.up(program({ password }, { password }));
    expect(warned(await stack.up(program({ password }, { password }), { expectNoChanges: true }))).toEqual([]);
});

describe("a destroy with a token that sees nothing", () => {
    const names = ["orders", "bills"];
    const program = () => names.forEach((name) => new Service(name));

    test("removes each entry with a warning, and keeps the databases", async () => {
        const stack = await startStack();
        await stack.up(program);
        const ids = stack.emulator.snapshot().services.map((one) => one.service_id);
        stack.emulator.addFaults([{ times: "all", effect: blind }]);
        const { output } = await stack.destroy();
        const text = `was not found at ${stack.emulator.url} in project "${stack.emulator.projectId}"; if this token`;
        expect(ids.filter((id) => !output.includes(`(${id}) ${text}`))).toEqual([]);
        expect(stack.emulator.snapshot().services).toHaveLength(2);
    });
});
