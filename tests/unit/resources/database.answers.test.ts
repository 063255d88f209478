import type { Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { operations, projectId, replicaSet, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { ReadReplicaSet, Service } = lifecycles;

/** An API that shows this environment tag of each database. */
const showing =
    (tag: (shown: string) => string): Interceptor =>
    async (_, carryOut) => {
        const response = await carryOut();
        const body = response.body.replace(
            /"environment":"(\w+)"/g,
            (_match, shown: string) => `"environment":"${tag(shown)}"`,
        );
        return { ...response, body };
    };

it.each<[string, (shown: string) => string]>([
    ["small", (tag) => tag.toLowerCase()],
    ["mixed", (tag) => `${tag.charAt(0)}${tag.slice(1).toLowerCase()}`],
])("an environment tag in %s letters is the declared one", async (_, tag) => {
    const world = await simulate({ intercept: showing(tag) });
    const declared = service({ environment: "PROD" });
    const { id, state } = await Service.create(declared, world.run());
    expect(state.environment).toBe("PROD");
    expect(Service.plan(state, declared).steps).toEqual([]);
    expect(await Service.import(id, { projectId }, world.run())).toMatchObject({ state: { environment: "PROD" } });

    const inDev = service({ environment: "DEV" });
    expect((await Service.update(id, state, inDev, world.run())).environment).toBe("DEV");
    const set = await ReadReplicaSet.create({ ...replicaSet(id), environment: "DEV" }, world.run());
    expect(set.state.environment).toBe("DEV");
    expect(operations(world)).toEqual(["createService", "setEnvironment", "createReplicaSet"]);
});

it("a tag that nobody knows stays as the API shows it", async () => {
    const world = await simulate();
    const { id } = await Service.create(service(), world.run());
    world.fault.at(
        "getService",
        showing(() => "staging"),
    );
    expect(await Service.import(id, { projectId }, world.run())).toMatchObject({ state: { environment: "staging" } });
});
