import type { Timeouts } from "../../../provider/base/time";
import type { AxiosAdapter } from "axios";
import { callFunction } from "../../../provider/functions/function";
import { functions } from "../../../provider/functions/index";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { functionContext } from "../../../provider/hosts/native/server";
import { DeadlineError } from "../../../provider/api/callErrors";
import { emptyRecord } from "../../../provider/model/state";

import { failureOf } from "../../support/client";
import { linesOf, network, projectId, replicaSet, service } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { sessionWith } from "../../support/sessions";
import { simulate } from "../../support/simulation";
import { TestClock } from "../../support/virtualClock";
import { withService, withUnseenService } from "../../support/withService";

const { Service, Vpc } = lifecycles;
type State = Awaited<ReturnType<typeof Service.create>>["state"];

describe("a refresh", () => {
    it("shows changes outside of the program, and the next plan reverts only those", async () => {
        const declared = service({ replicaCount: 1 });
        const { world, id, state } = await withService(declared);
        world.emulator.updateService(id, { environment: "PROD", replicaCount: 0 });
        const seen = await Service.read(id, state, world.run());
        expect(seen?.inputs).toEqual({ ...declared, replicaCount: 0, environment: "PROD" });
        expect(seen && linesOf(Service.plan(seen.state, declared))).toEqual([
            "HA replicas none -> 1 async",
            "environment PROD -> DEV",
        ]);
        world.emulator.setServiceStatus(id, "PAUSING");
        expect((await Service.read(id, state, world.run()))?.inputs).toMatchObject({ paused: true });
    });

    it("keeps a service paused whose status is none of the contract", async () => {
        const { world, id, state } = await withService(service({ paused: true }));
        world.emulator.setServiceStatus(id, "VALUE_OF_THE_FUTURE");
        const seen = await Service.read(id, state, world.run());
        expect(seen?.state).toMatchObject({ paused: true, status: "VALUE_OF_THE_FUTURE" });
    });

    it("keeps a service that reads do not show yet", async () => {
        const { world, id, state } = await withUnseenService();
        const { initialPassword } = state as { initialPassword: string };
        expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ initialPassword });
    });

    it("fails if a proxy returns 404", async () => {
        const { world, id, state } = await withService();
        world.emulator.addFaults(["getService#1+:404,body=html"]);
        await expect(Service.read(id, state, world.run())).rejects.toThrow(
            "getService returned an invalid response (404 from ",
        );
    });
});

describe("a refresh that does not find a service", () => {
    const withoutVpcs = "listVpcs#1+:404";

    it.each<[reason: string, isProtected: boolean, isRefused: boolean, beside?: string, fault?: string]>([
        ["is protected, and the project seems to be empty", true, true],
        ["is protected, and the project has a VPC", true, false, "a VPC"],
        ["is not protected", false, false],
        ["is protected, and the API has no VPCs", true, true, "nothing", withoutVpcs],
        ["is protected, beside another one, and the API has no VPCs", true, false, "another", withoutVpcs],
    ])("which %s", async (_, deletionProtection, isRefused, beside = "nothing", fault = "") => {
        const { world, id, state } = await withService({ ...service(), deletionProtection });
        if (beside === "a VPC") {
            await Vpc.create(network, world.run());
        } else if (beside === "another") {
            await Service.create(service({ name: "other" }), world.run());
        }
        world.emulator.deleteService(id);
        world.emulator.addFaults(fault === "" ? [] : [fault]);
        const refreshed = Service.read(id, state, world.run());
        const refusal = `Service "orders" (${id}) was not found, and project "emulator01" shows no `;
        await (isRefused ? expect(refreshed).rejects.toThrow(refusal) : expect(refreshed).resolves.toBeUndefined());
        const warning = `Service "orders" (${id}) does not exist: a run whose program declares it creates a new one, without its data`;
        expect(world.warnings.includes(warning)).toBe(!isRefused);
    });

    it("goes with a warning if it is not protected, the first of an empty project like the second", async () => {
        const world = await simulate();
        const services = Service.in(sessionsOn(world).startSession());
        const made = await Promise.all(["one", "two"].map((name) => Service.create(service({ name }), world.run())));
        made.forEach(({ id }) => world.emulator.deleteService(id));
        for (const { id, state } of made) {
            expect(await services.read(id, state)).toBeUndefined();
        }
    });
});

describe("the time limit of a refresh", () => {
    const state = { ...service(), serviceId: "service001" } as unknown as State;

    /** How long a read of a service takes until its deadline, in minutes, and the cause of its failure. */
    async function read(
        changed: Partial<State>,
        timeouts: Timeouts | undefined,
        respond: (url: string, clock: TestClock) => Promise<[number, string]>,
    ) {
        const clock = TestClock.automatic();
        const adapter: AxiosAdapter = async (config) => {
            const [status, data] = await respond(config.url ?? "", clock);
            return { data, status, statusText: "", headers: {}, config };
        };
        const beganAt = clock.now();
        const services = Service.in(sessionWith({ clock, adapter }));
        const { cause, message } = await failureOf(
            services.read("service001", { ...state, ...changed, record: { ...emptyRecord, timeouts } }),
            DeadlineError,
        );
        return { cause, message, minutes: (clock.now() - beganAt) / 60_000 };
    }

    const unavailable = () => Promise.resolve<[number, string]>([503, ""]);

    it("survives a restart of the API, and ends after five minutes, or that of an update if that has less time", async () => {
        const { cause, minutes } = await read({}, undefined, unavailable);
        expect(cause).toMatchObject({ status: 503 });
        expect(minutes).toBeGreaterThan(4.5);
        expect(minutes).toBeLessThanOrEqual(5);
        expect((await read({}, { update: "1m" }, unavailable)).minutes).toBeLessThanOrEqual(1);
    });

    it("includes the check that the project is not empty", async () => {
        const { message, minutes } = await read({ deletionProtection: true }, { update: "30s" }, async (url, clock) => {
            if (url.endsWith("/vpcs")) {
                return new Promise(() => undefined);
            }
            await clock.sleep(5_000);
            return url.endsWith("/services") ? [200, "[]"] : [404, '{"code":"NOT_FOUND","message":"not found"}'];
        });
        expect(message).toContain("did not respond to GET /projects/emulator01/vpcs");
        expect(message).toContain("Check: the network and whether the API is available");
        expect(minutes).toBeLessThanOrEqual(0.5);
    });
});

test("an import of a service shows its inputs, also to a later read, and both refuse the id of a read replica set", async () => {
    const { world, id, state } = await withService();
    const imported = await Service.import(id, { projectId }, world.run());
    const again = await Service.read(id, imported.state, world.run());
    const { __declared, ...inputs } = imported.inputs;
    expect(__declared).toEqual([]);
    expect(again?.inputs).toMatchObject(inputs);
    const missing = Service.import("zzzzzzzzzz", { projectId }, world.run());
    await expect(missing).rejects.toThrow('There is no service "zzzzzzzzzz" in project "emulator01"');
    const set = await lifecycles.ReadReplicaSet.create(replicaSet(id), world.run());
    const own = set.id.slice(id.length + 1);
    const refusal = "it is a read replica set, not a service";
    await expect(Service.import(own, { projectId }, world.run())).rejects.toThrow(refusal);
    await expect(Service.read(own, state, world.run())).rejects.toThrow(refusal);
});

test("an import or a `.get` of a service that is being deleted says so", async () => {
    const { world, id } = await withService();
    world.emulator.setServiceStatus(id, "DELETING");
    const refusal = `The service "${id}" in project "emulator01" is being deleted.`;
    await expect(Service.import(id, { projectId }, world.run())).rejects.toThrow(refusal);
});

test("a refresh that has no time to prove that a service is gone names it, and a way out", async () => {
    const { world, id, state } = await withService();
    await Service.delete(id, state, world.run());
    const error = await failureOf(Service.read(id, state, world.run({ timeMs: 1_000 })), DeadlineError);
    expect(error.message).toBe(
        `Service "orders" (${id}) was not found, but too little time has passed to rule out an error.\nContinue: repeat the command`,
    );
});

test("an import of a service that changes fails and says so, and that of a peering does not", async () => {
    const { world, id } = await withService();
    world.emulator.setServiceStatus(id, "CONFIGURING");
    const refusal = `Service ${id} was not imported: it is CONFIGURING`;
    await expect(Service.import(id, { projectId }, world.run())).rejects.toThrow(refusal);
    world.emulator.setServiceStatus(id);
    await expect(Service.import(id, { projectId }, world.run())).resolves.toMatchObject({ state: { status: "READY" } });
});

test.each(["READY", "CONFIGURING"])(
    "an import of a service that is %s reads it once, and does not wait",
    async (status) => {
        const { world, id } = await withService();
        world.emulator.setServiceStatus(id, status, 20_000);
        const beganAt = world.clock.now();
        const imported = await Service.import(id, { projectId }, world.run()).catch(String);
        expect(imported).toEqual(
            status === "READY"
                ? expect.objectContaining({ state: expect.anything() as unknown })
                : expect.stringContaining(status),
        );
        const read = world.emulator.journal().map(({ operationId }) => operationId);
        expect([read, world.clock.now()]).toEqual([["getService"], beganAt]);
    },
);

const previewMs = 5_000;

/** A session with such an API. */
function start(adapter: AxiosAdapter) {
    const clock = TestClock.automatic();
    const printed: string[] = [];
    const print = (_: string | undefined, text: string) => void printed.push(text);
    const session = sessionWith({ clock, adapter, engine: { info: print, warn: print, showRow: print } });
    const beganAt = clock.now();
    return { session, printed, tookMs: () => clock.now() - beganAt };
}

describe.each<[string, AxiosAdapter]>([
    ["never answers", () => new Promise(() => undefined)],
    ["limits requests", (config) => Promise.resolve({ data: "", status: 429, statusText: "", headers: {}, config })],
])("a preview whose API %s", (_, api) => {
    it("the read of a .get fails within 5 s", async () => {
        const { session, tookMs } = start(api);
        const provider = new DynamicProvider(lifecycles.Service.resource, session);
        const reading = provider.read("service001", { __program: { isPreview: true, isGet: true } });
        await expect(reading).rejects.toThrow(/getService/);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });

    it("a function fails within 5 s, with all its requests", async () => {
        const { session, tookMs } = start(api);
        const call = callFunction("getVpcs", functions.getVpcs, {}, functionContext(session, true));
        await failureOf(call, DeadlineError);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });

    it("the preview of an adoption says within 5 s that the steps are not known", async () => {
        const { session, printed, tookMs } = start(api);
        const provider = new DynamicProvider(lifecycles.Service.resource, session);
        const news = { ...service({ existingId: "service001" }), __program: { isPreview: true } };
        const { failures } = await provider.check({}, news);
        expect(failures).toEqual([]);
        expect(printed).not.toEqual([]);
        expect(tookMs()).toBeLessThanOrEqual(previewMs);
    });
});
