import { loadContract } from "../../../emulator/contract";
import { kindFacts } from "../../../emulator/kinds";
import { answeredOperations, closeWorlds, longMs, startWorld } from "../../support/emulator";
import type { Wire } from "../../../emulator/wire";

afterAll(closeWorlds);

const aVpc = { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" };

it("every operation of the contract is implemented, and its response is valid", async () => {
    const { api, clock, project } = await startWorld();
    // The test world validates each response against the contract.
    const done = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
        const answer = await api<Body>(method, path, body);
        expect([method, path, answer.status < 300]).toEqual([method, path, true]);
        clock.advance(longMs);
        return answer.body;
    };
    await done("GET", "/auth/info");
    await done("GET", "/projects");

    const vpc = await done<Wire["Vpc"]>("POST", `${project}/vpcs`, aVpc);
    const net = `${project}/vpcs/${vpc.id}`;
    await done("GET", `${project}/vpcs`);
    await done("GET", net);
    await done("POST", `${net}/rename`, { name: "other" });
    const input = { peer_account_id: "1", peer_region_code: "us-east-1", peer_vpc_id: "vpc-1" };
    const peering = await done<Wire["Peering"]>("POST", `${net}/peerings`, input);
    await done("GET", `${net}/peerings`);
    await done("GET", `${net}/peerings/${peering.id}`);

    const service = await done<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
    const db = `${project}/services/${service.service_id}`;
    await done("POST", `${db}/resize`, { cpu_millis: "1000", memory_gbs: "4" });
    await done("POST", `${db}/setHA`, { replica_count: 2, sync_replica_count: 1 });
    await done("POST", `${db}/attachToVPC`, { vpc_id: vpc.id });
    await done("POST", `${db}/enablePooler`);
    await done("POST", `${db}/setEnvironment`, { environment: "PROD" });
    await done("POST", `${db}/rename`, { name: "other" });
    await done("POST", `${db}/updatePassword`, { password: "long enough" });
    await done("POST", `${db}/forkService`, { fork_strategy: "NOW" });
    await done("GET", `${db}/logs`);

    const set = await done<Wire["ReadReplicaSet"]>("POST", `${db}/replicaSets`, {
        name: "r",
        nodes: 1,
        cpu_millis: 500,
        memory_gbs: 2,
    });
    const replicas = `${db}/replicaSets/${set.id}`;
    await done("GET", `${db}/replicaSets`);
    await done("POST", `${replicas}/resize`, { cpu_millis: "1000", memory_gbs: "4", nodes: 2 });
    await done("POST", `${replicas}/enablePooler`);
    await done("POST", `${replicas}/setEnvironment`, { environment: "PROD" });
    await done("GET", `${project}/services`);
    await done("GET", db);
    await done("GET", `${project}/services/${set.id}`);

    await done("POST", `${replicas}/disablePooler`);
    await done("DELETE", replicas);
    await done("POST", `${db}/disablePooler`);
    await done("POST", `${db}/detachFromVPC`, { vpc_id: vpc.id });
    await done("POST", `${db}/stop`);
    await done("POST", `${db}/start`);
    await done("DELETE", db);
    await done("DELETE", `${net}/peerings/${peering.id}`);
    await done("DELETE", net);

    expect([...answeredOperations].sort()).toEqual(loadContract().operationIds.sort());
});

it("every operation that describes one resource belongs to the facts of a kind", () => {
    const facts = Object.values(kindFacts);
    const ids = loadContract().operationIds;
    const creations = ids.filter((id) => /^(create|fork)/.test(id));
    expect(facts.flatMap(({ creates }) => creates).sort()).toEqual(creations.sort());
    const reads = ids.filter((id) => id.startsWith("get") && !["getAuthInfo", "getServiceLogs"].includes(id));
    expect(facts.flatMap(({ gets }) => gets).sort()).toEqual(reads.sort());
});

it("a response that violates the contract is detected", () => {
    const contract = loadContract();
    expect(contract.answerFault("listProjects", 200, [{ id: 1 }])).toContain("listProjects 200");
    expect(contract.answerFault("deleteVpc", 204, {})).toContain("a body is not allowed");
    expect(contract.answerFault("renameVpc", 200, { message: 1 })).toContain("/message");
    expect(contract.answerFault("getVpc", 404, { code: "NOT_FOUND" })).toContain("message");
});
