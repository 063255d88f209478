import { Guard } from "../../acceptance/guard";

const run = { projectId: "acceptance", prefix: "clouddb-acceptance-0123456789ab-" };
const services = "/projects/acceptance/services";
const own = `${services}/orders0001`;
const named = { name: `${run.prefix}orders`, cpu_millis: "500", memory_gbs: "2" };

/** A guard that has seen the creation of a service, and a function that asks it. */
function start() {
    const guard = new Guard(run, { services: 2, cpuMillis: 1_000, replicas: 2 });
    const ask = (method: string, path: string, requestBody?: unknown) => guard.admit({ method, path, requestBody });
    ask("POST", services, named)({ status: 202, responseBody: { service_id: "orders0001" } });
    return { guard, ask };
}

test("reads of anything, and changes of a service that the run has created, are permitted", () => {
    const { ask } = start();
    const changes = ["stop", "enablePooler"].map((name) => ["POST", `${own}/${name}`] as const);
    for (const [method, path] of [["GET", `${services}/foreign001`], ...changes, ["DELETE", own]] as const) {
        expect(() => ask(method, path)).not.toThrow();
    }
});

test.each<[string, string, string, unknown, string]>([
    ["a deletion of another service", "DELETE", `${services}/foreign001`, undefined, "created"],
    ["a fork of another service", "POST", `${services}/foreign001/forkService`, named, "created"],
    ["a deletion of another VPC", "DELETE", "/projects/acceptance/vpcs/17", undefined, "created"],
    ["an attachment to another VPC", "POST", `${own}/attachToVPC`, { vpc_id: "17" }, "created"],
    ["a deletion in another project", "DELETE", "/projects/another001/services/orders0001", undefined, "project"],
    ["an unknown operation", "DELETE", services, undefined, "contract"],
    ["a creation with another name", "POST", services, { ...named, name: "orders" }, "begin"],
    ["a rename to another name", "POST", `${own}/rename`, { name: "orders" }, "begin"],
    ["a large service", "POST", services, { ...named, cpu_millis: "2000" }, "limit"],
    ["many replicas", "POST", `${own}/setHA`, { replica_count: 3 }, "limit"],
])("%s is rejected", (_, method, path, requestBody, reason) => {
    expect(() => start().ask(method, path, requestBody)).toThrow(reason);
});

test("a service that the API did not create for the run does not become its own, and makes room for another", () => {
    const { ask, guard } = start();
    const settle = ask("POST", services, named);
    expect(() => ask("POST", services, named)).toThrow("services");
    settle({ status: 409, responseBody: { service_id: "foreign001" } });
    expect(guard.isOwn("foreign001")).toBe(false);
    const fork = ask("POST", `${own}/forkService`, { fork_strategy: "NOW" });
    fork({ status: 202, responseBody: { service_id: "copy000001" } });
    expect(() => ask("POST", services, named)).toThrow("services");
    ask("DELETE", `${services}/copy000001`)({ status: 202, responseBody: undefined });
    expect(() => ask("POST", services, named)).not.toThrow();
});
