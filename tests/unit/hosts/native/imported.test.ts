import { callsOf } from "../../../support/calls";
import { network, projectId, service } from "../../../support/fixtures";
import { sessionsOn } from "../../../support/hosts";
import { lifecycles } from "../../../support/lifecycles";
import { properties, type Properties } from "../../../support/properties";
import { simulate } from "../../../support/simulation";

const urn = "urn:pulumi:dev::shop::clouddb:index:Service::orders";

/** A service in a VPC, in the state of a stack after `pulumi import`, as the engine makes it. */
async function imported() {
    const world = await simulate();
    const { id: vpcId } = await lifecycles.Vpc.create(network, world.run());
    const { id } = await lifecycles.Service.create(service({ vpcId, replicaCount: 1 }), world.run());
    const { startSession } = sessionsOn(world);
    const calls = () => callsOf("native", "Service", startSession());
    const found = await calls().read({ urn, id });
    let { outputs, inputs = properties({}) } = found ?? { outputs: properties({}) };
    inputs = await calls().check({ urn, olds: inputs, news: inputs });
    world.changes();
    return {
        vpcId,
        /** A run of a program. Returns what it has sent. */
        up: async (declared: object) => {
            const run = calls();
            const news = await run.check({ urn, olds: inputs, news: properties({ projectId, ...declared }) });
            const { changes } = await run.diff({ urn, id, olds: outputs, news });
            // The engine stores the inputs of an unchanged resource, too.
            inputs = news;
            outputs = changes ? (await run.update({ urn, id, olds: outputs, news })).outputs : outputs;
            return { changes, sent: world.changes() };
        },
        refresh: async () => {
            const seen = await calls().read({ urn, id, olds: outputs, inputs });
            ({ outputs, inputs = properties({}) } = seen as { outputs: Properties; inputs?: Properties });
        },
    };
}

it.each([true, false])(
    "a default of an import ends once a program has declared the property, although that changes nothing (refreshed: %s)",
    async (isRefreshed) => {
        const { vpcId, up, refresh } = await imported();
        const all = { vpcId, replicaCount: 1 };
        for (const program of [all, { vpcId }, {}]) {
            if (isRefreshed) {
                await refresh();
            }
            const { changes, sent } = await up(program);
            const calls = sent.map((line) => line.split(" ")[0]);
            const expected = program === all ? [] : "vpcId" in program ? ["setHA"] : ["detachFromVPC"];
            expect({ changes, calls }).toEqual({ changes: expected.length > 0, calls: expected });
        }
    },
);

it("what an import or a refresh wrote declares nothing: a program that never declared vpcId keeps the VPC", async () => {
    const { up, refresh } = await imported();
    for (const program of [{}, { replicaCount: 1 }, { replicaCount: 2 }, {}]) {
        await refresh();
        const { sent } = await up(program);
        expect(sent.filter((line) => line.includes("VPC"))).toEqual([]);
    }
});
