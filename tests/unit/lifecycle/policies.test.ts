import type { ServiceKind } from "../../../provider/resources/service/plan";
import type { Declared } from "../../../provider/contract/resource";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
import { sessionsOn } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// Pulumi runs policies that change inputs (remediations) between the check and the diff or the creation.

const urn = "urn:pulumi:dev::shop::clouddb:index:Service::orders";

async function start() {
    const world = await simulate();
    const { lines, startSession } = sessionsOn(world, { CLOUDDB_DELETION_PROTECTION: "false" });
    const session = startSession();
    const services = new EngineCalls(lifecycles.Service, session);
    /** What a policy makes of the inputs that the check returns. */
    const remediated = (declared: object, change: object, state: object = {}) => {
        const { inputs, problems } = services.check({ __urn: urn, ...declared }, state as never);
        expect(problems).toEqual([]);
        return { ...inputs, ...change } as Declared<ServiceKind>;
    };
    return { lines, run: session.registry, services, remediated };
}

it("the plan of a creation is printed again with the values of the policy, and its warnings", async () => {
    const { lines, run, services, remediated } = await start();
    const inputs = remediated({ cpuMillis: 500 }, { cpuMillis: 1000, replicaCount: 2, deletionProtection: true });
    const { state } = await services.create(inputs);
    expect(lines).toEqual([
        "a policy has changed deletionProtection, cpuMillis, replicaCount",
        expect.stringMatching(/^1 create service "orders-\w+": 1000m\/4GB, 2 HA replicas, DEV$/),
    ]);
    expect(state).toMatchObject({ cpuMillis: 1000, deletionProtection: true });
    expect(run.inputsOf(urn)).toMatchObject({ cpuMillis: 1000, deletionProtection: true });
});

it("nothing is printed again without such a policy", async () => {
    const { lines, services, remediated } = await start();
    await services.create(remediated({ cpuMillis: 500, connectionPooler: true }, {}));
    expect(lines).toEqual([]);
});

it("the preview of a creation that gets the final inputs shows the values of the policy", async () => {
    const { services, remediated } = await start();
    const notices = await services.previewCreation(remediated({}, { memoryGbs: 3 }));
    expect(notices.map(({ text }) => [text].flat().join())).toEqual([
        "a policy has changed memoryGbs",
        expect.stringMatching(/^memoryGbs 3 is not one of the documented sizes/),
        expect.stringMatching(/^1 create service "orders-\w+": 750m\/3GB, DEV$/),
    ]);
});

it("the diff and what the run knows have the values of the policy", async () => {
    const { run, services, remediated } = await start();
    const { id, state } = await services.create(remediated({}, {}));
    const changed = remediated({}, { environment: "PROD", deletionProtection: true }, state);
    const { notices, plan } = services.diff(id, state, changed);
    expect(notices.map(({ text }) => text)[0]).toBe("a policy has changed deletionProtection, environment");
    expect(plan.steps.map(({ text }) => text)).toEqual(["environment DEV -> PROD"]);
    expect(run.inputsOf(urn)).toMatchObject({ deletionProtection: true });
});

it("invalid values of a policy fail before a request, and the message names them", async () => {
    const { services, remediated } = await start();
    const invalid = remediated({}, { cpuMillis: "shared", memoryGbs: 2 });
    await expect(services.create(invalid)).rejects.toThrow(
        /^Service "orders[-\w]*": a policy has changed cpuMillis, memoryGbs\. cpuMillis "shared" and memoryGbs 2 cannot be combined/,
    );
});
