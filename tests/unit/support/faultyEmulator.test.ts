import type { Wire } from "../../../emulator/wire";
import { simulate } from "../../support/simulation";

const start = async (...faults: string[]) => {
    const { emulator } = await simulate({ faults });
    const raw = (method: string, path: string, body?: unknown) =>
        emulator.handle({
            method,
            path: `/v1/projects/${emulator.projectId}${path}`,
            headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
    return { emulator, raw };
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
