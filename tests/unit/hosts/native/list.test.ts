import { ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { list } from "../../../../provider/hosts/native/list";
import { pack } from "../../../../provider/hosts/native/values";
import { resourceTypes } from "../../../../provider/resources/index";
import { sessionsOn } from "../../../support/hosts";
import { simulate } from "../../../support/simulation";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A project with two VPCs, of which one has a peering. */
async function start() {
    const world = await simulate();
    const { emulator, client } = world;
    const path = { project_id: emulator.projectId };
    const create = async (name: string, cidr: string) => {
        const body = { name, cidr, region_code: "us-east-1" };
        return (await client.call("createVpc", { path, body }, {})).id;
    };
    const [shop, office] = [await create("shop", "10.0.0.0/21"), await create("office", "10.0.8.0/21")];
    const body = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b2c3d" };
    const peering = await client.call("createPeering", { path: { ...path, vpc_id: shop }, body }, {});
    const session = sessionsOn(world).startSession();
    const listed = (type: string, query: Record<string, unknown> = {}, limit = 0) =>
        list(new ListRequest().setToken(`clouddb:index:${type}`).setQuery(pack(query)).setLimit(limit), session);
    const ids = async (...args: Parameters<typeof listed>) =>
        (await listed(...args)).map((one) => one.getResult()?.getId());
    return { shop, office, peering: `${shop}/${peering.id}`, listed, ids };
}

describe("a list of the plugin", () => {
    it("contains the resources of a project with their names, up to the limit", async () => {
        const { shop, office, listed, ids } = await start();
        const found = (await listed("Vpc")).map((one) => one.getResult()?.toObject());
        expect(found).toEqual([
            { id: shop, name: "shop" },
            { id: office, name: "office" },
        ]);
        expect(await ids("Vpc", {}, 1)).toEqual([shop]);
    });

    it("contains the resources of all parents, or of the one in the query", async () => {
        const { shop, office, peering, ids } = await start();
        expect(await ids("Peering")).toEqual([peering]);
        expect(await ids("Peering", { vpcId: shop })).toEqual([peering]);
        expect(await ids("PeeringActivation", { vpcId: office })).toEqual([]);
    });

    it("is possible for each kind", async () => {
        const { ids } = await start();
        for (const type of resourceTypes) {
            expect(Array.isArray(await ids(type))).toBe(true);
        }
    });

    it("is not known if the query is not", async () => {
        const { listed } = await start();
        const [response] = await listed("Vpc", { projectId: unknownText });
        expect(response?.hasComputed()).toBe(true);
    });

    it.each([
        ["Vpc", { vpcId: "1" }, "A list of the type Vpc has no input vpcId; use projectId."],
        ["Peering", { name: "shop" }, "A list of the type Peering has no input name; use projectId and vpcId."],
        ["Peering", { vpcId: "x" }, "vpcId is not valid; use the id of a VPC (digits)"],
        ["ProductionDatabase", {}, "This plugin cannot list resources of the type clouddb:index:ProductionDatabase."],
    ])("of %s with %j fails", async (type, query, message) => {
        const { listed } = await start();
        await expect(listed(type, query)).rejects.toThrow(message);
    });
});
