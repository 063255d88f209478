import type { Wire } from "../../../emulator/wire";
import { closeSimulations, simulate } from "../../support/simulation";

afterEach(closeSimulations);

const aVpc = { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" };
const aPeering = { peer_account_id: "1", peer_region_code: "us-east-1", peer_vpc_id: "vpc-1" };

const start = async (...faults: string[]) => {
    const { emulator, clock } = await simulate({ faults });
    const raw = (method: string, path: string, body?: unknown) =>
        emulator.handle({
            method,
            path: `/v1/projects/${emulator.projectId}${path}`,
            headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
    return { emulator, clock, raw };
};

it("a fault adds an entry that violates the contract to a list", async () => {
    const { emulator, raw } = await start("listServices:malformedEntry");
    const id = (JSON.parse((await raw("POST", "/services", { name: "db" })).body) as Wire["Service"]).service_id;
    const list = async () => JSON.parse((await raw("GET", "/services")).body) as unknown[];
    const first = await list();
    expect(first).toHaveLength(2);
    expect(first).toContainEqual(expect.objectContaining({ service_id: id, name: "db" }));
    expect(await list()).toHaveLength(1);
    expect(emulator.faults()).toEqual([{ fault: "listServices:malformedEntry", hits: 1 }]);
    expect(emulator.journal().map((entry) => entry.faults)).toEqual([
        undefined,
        ["listServices:malformedEntry"],
        undefined,
    ]);
});

it("a fault returns null in place of an empty list, and no other list", async () => {
    const { raw } = await start("GET#1x4:nullList");
    expect((await raw("GET", "/services")).body).toBe("null");
    await raw("POST", "/services", { name: "db" });
    expect(JSON.parse((await raw("GET", "/services")).body)).toHaveLength(1);
});

it.each(["createService", "getService"])(
    "the response to %s describes the oldest other service, or an invented older one",
    async (operation) => {
        const { raw, emulator, clock } = await start(`${operation}#1x2:otherObject`);
        const respondFor = async (name: string) => {
            const made = JSON.parse((await raw("POST", "/services", { name })).body) as Wire["Service"];
            const id = emulator.snapshot().services.at(-1)?.service_id ?? "";
            return operation === "createService"
                ? made
                : (JSON.parse((await raw("GET", `/services/${id}`)).body) as Wire["Service"]);
        };
        const invented = await respondFor("orders");
        expect(invented).toMatchObject({ service_id: "invented00", name: "invented" });
        expect(Date.parse(invented.created)).toBeLessThan(clock.now());
        const [orders] = emulator.snapshot().services;
        expect(await respondFor("reports")).toMatchObject({ service_id: orders?.service_id, name: "orders" });
        expect(emulator.snapshot().counts.services.made).toBe(2);
    },
);

it.each([
    ["createVpc:otherObject", "/vpcs", aVpc, "name", "invented"],
    ["createPeering:otherObject", "/vpcs/ID/peerings", aPeering, "peer_vpc_id", "vpc-invented"],
])("the response with the fault %s describes an invented object", async (fault, path, body, field, value) => {
    const { raw, emulator } = await start();
    const id = path === "/vpcs" ? "" : (JSON.parse((await raw("POST", "/vpcs", aVpc)).body) as Wire["Vpc"]).id;
    emulator.addFaults([fault]);
    const response = await raw("POST", path.replace("ID", id), body);
    expect(JSON.parse(response.body)).toMatchObject({ id: "1", [field]: value });
});
