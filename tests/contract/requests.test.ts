import { readOptions } from "../../provider/api/client";
import type { QueryOf } from "../../provider/api/contract";
import { startClient } from "./world";

describe("the query of getServiceLogs", () => {
    const sent = async (query: QueryOf<"getServiceLogs">) => {
        const { client, project, make, passed } = await startClient();
        const { service_id = "" } = await make("Service");
        const path = { project_id: project, service_id };
        await client.call("getServiceLogs", { path, query }, readOptions);
        return (passed.at(-1)?.exchange.request.path ?? "").split("?")[1];
    };

    it("the query of getServiceLogs is empty without filters", async () => {
        expect(await sent(undefined)).toBeUndefined();
        expect(await sent({})).toBeUndefined();
    });

    it("the query of getServiceLogs repeats the parameter for each severity, as the contract requires", async () => {
        const query = new URLSearchParams(await sent({ severities: ["ERROR", "FATAL"] }));
        expect([...query]).toEqual([
            ["severities", "ERROR"],
            ["severities", "FATAL"],
        ]);
    });

    it.each(["a&b=c", "50% + more", "ü/ß?#", "[x]", "node:1,2"])(
        "the query of getServiceLogs encodes the search %j correctly",
        async (search) => {
            const query = new URLSearchParams(await sent({ search }));
            expect([...query]).toEqual([["search", search]]);
        },
    );
});

it("responses have an attached VPC only under its current name", async () => {
    const { client, project, make, finish } = await startClient();
    const { service_id = "", vpc_id = "" } = await make("Vpc", "Service");
    const path = { project_id: project, service_id };
    await client.call("attachToVPC", { path, body: { vpc_id } }, readOptions);
    finish();
    const answer = await client.call("getService", { path }, readOptions);
    expect(answer.vpc_endpoint?.vpc_id).toBe(vpc_id);
    expect(answer).not.toHaveProperty("vpcEndpoint");
});
