import { CloudDbError } from "../../../provider/api/callErrors";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { failureOf } from "../../support/client";
import { call, failure, loseResponse, lowerNames, network, peering, projectId, service } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate, simulateConcurrently } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, Service, Vpc } = lifecycles;

it.each(["Orders", "ORDERS"])("a second service cannot have the name %j beside orders", async (name) => {
    const { world, id } = await withService(service({ name: "orders" }));
    const second = Service.create({ ...service({ name }), __urn: "urn::second" }, world.run());
    await expect(second).rejects.toThrow(`already exists: ${id} (created 4 s ago, 500m/2GB) has the name "orders"`);
});

it("a VPC with another form of the name is the one that a killed run has created", async () => {
    const world = await simulate({ intercept: lowerNames });
    const body = { name: "Net", cidr: network.cidr, region_code: network.regionCode };
    const { id } = await call(world, "createVpc", {}, body);
    const again = Vpc.create({ ...network, name: "Net" }, world.run());
    await expect(again).rejects.toThrow(`adopt it with existingId: "${id}"`);
});

it("a creation whose response is lost finds its resource under the name that the API gave it, and makes no second one", async () => {
    const world = await simulate({ intercept: lowerNames });
    world.fault.at("createService", loseResponse);
    const { id } = await failure(Service.create(service({ name: "Orders" }), world.run()));
    expect(world.emulator.snapshot().services.map(({ service_id }) => service_id)).toEqual([id]);
});

it("a lost peering is found by its region in another form, and a second one is refused", async () => {
    const world = await simulate({ dialect: "regions-upper", peerings: "immediate" });
    const { id: vpcId } = await Vpc.create(network, world.run());
    const inputs = { ...untypedKinds.Peering.inputs(refsTo({ Vpc: vpcId }), 0), vpcId, projectId, __urn: "urn::p" };
    world.fault.at("createPeering", loseResponse);
    const { id } = await Peering.create(inputs as never, world.run());
    world.fault.over();
    const again = Peering.create({ ...inputs, __urn: "urn::again" } as never, world.run());
    await expect(again).rejects.toThrow(`already exists: ${id}`);
});

it.each(["peer_account_id", "peer_region_code"])(
    "a second peering with the same VPC is refused while no list shows %s",
    async (member) => {
        const world = await simulate({
            peerings: "immediate",
            intercept: async ({ operationId }, carryOut) => {
                const answer = await carryOut();
                const shown = new RegExp(`"${member}":"[^"]+"`, "g");
                return operationId === "listPeerings"
                    ? { ...answer, body: answer.body.replace(shown, `"${member}":""`) }
                    : answer;
            },
        });
        const { id: vpcId } = await Vpc.create(network, world.run());
        const { id } = await Peering.create(peering(vpcId), world.run());
        const again = Peering.create({ ...peering(vpcId), __urn: "urn::again" }, world.run());
        await expect(again).rejects.toThrow(`already exists: ${id}`);
    },
);

it("two creations with swapped responses each manage their own service", async () => {
    const held: (() => void)[] = [];
    const answers: { body: string }[] = [];
    const { provider, emulator } = await simulateConcurrently({
        intercept: async ({ operationId }, carryOut) => {
            const response = await carryOut();
            if (operationId !== "createService") {
                return response;
            }
            const mine = answers.push(response) - 1;
            await new Promise<void>((resolve) => {
                held.push(resolve);
                if (held.length === 2) {
                    held.forEach((release) => release());
                }
            });
            return { ...response, body: answers[1 - mine]?.body ?? "" };
        },
    });
    const names = ["one", "two"];
    const made = await Promise.all(
        names.map((name) => Service.create({ ...service({ name }), __urn: `urn::${name}` }, provider.run())),
    );
    expect(emulator.changes().map(({ operationId }) => operationId)).not.toContain("renameService");
    const { services } = emulator.snapshot();
    expect(made.map(({ id }) => services.find(({ service_id }) => service_id === id)?.name)).toEqual(names);
});

it("an answer about a service with another name is in the error, beside those that the list has", async () => {
    const world = await simulate();
    world.fault.at("createService", async (_, carryOut) => {
        world.fault.over();
        const response = await carryOut();
        await call(world, "createService", {}, { name: "orders" });
        return { ...response, body: response.body.replaceAll('"orders"', '"invented"') };
    });
    const error = await failureOf(Service.create(service({ name: "orders" }), world.run()), CloudDbError);
    for (const { service_id: id } of world.emulator.snapshot().services) {
        expect(error.message).toContain(id);
    }
});
