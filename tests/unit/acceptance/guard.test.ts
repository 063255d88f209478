import { Guard } from "../../acceptance/guard";

const run = { projectId: "acceptance", prefix: "clouddb-acceptance-0123456789ab-" };
const limits = { services: 2, cpuMillis: 1_000, replicas: 2 };
const services = "/projects/acceptance/services";
const named = (more: object = {}) => ({ name: `${run.prefix}orders`, cpu_millis: "500", memory_gbs: "2", ...more });

const created = (guard: Guard, id: string) =>
    guard.admit({ method: "POST", path: services, requestBody: named() })({
        status: 202,
        responseBody: { service_id: id },
    });

function withOrders(): Guard {
    const guard = new Guard(run, limits);
    created(guard, "orders0001");
    return guard;
}

test("a read of anything is permitted", () => {
    expect(() =>
        withOrders().admit({ method: "GET", path: `${services}/foreign001`, requestBody: undefined }),
    ).not.toThrow();
});

test("changes of a service that the run has created are permitted", () => {
    const guard = withOrders();
    for (const path of ["stop", "start", "enablePooler"].map((name) => `${services}/orders0001/${name}`)) {
        expect(() => guard.admit({ method: "POST", path, requestBody: undefined })).not.toThrow();
    }
    expect(() =>
        guard.admit({ method: "DELETE", path: `${services}/orders0001`, requestBody: undefined }),
    ).not.toThrow();
});

const rejected: [string, string, string, unknown, string][] = [
    ["a deletion of another service", "DELETE", `${services}/foreign001`, undefined, "created"],
    ["a fork of another service", "POST", `${services}/foreign001/forkService`, named(), "created"],
    ["a deletion of another VPC", "DELETE", "/projects/acceptance/vpcs/17", undefined, "created"],
    ["an attachment to another VPC", "POST", `${services}/orders0001/attachToVPC`, { vpc_id: "17" }, "created"],
    ["a deletion in another project", "DELETE", "/projects/another001/services/orders0001", undefined, "project"],
    ["an unknown operation", "DELETE", services, undefined, "contract"],
    ["a creation with another name", "POST", services, named({ name: "orders" }), "begin"],
    ["a rename to another name", "POST", `${services}/orders0001/rename`, { name: "orders" }, "begin"],
    ["a large service", "POST", services, named({ cpu_millis: "2000" }), "limit"],
    ["many replicas", "POST", `${services}/orders0001/setHA`, { replica_count: 3 }, "limit"],
];

test.each(rejected)("%s is rejected", (_, method, path, requestBody, reason) => {
    expect(() => withOrders().admit({ method, path, requestBody })).toThrow(reason);
});

test("a service that the API did not create for the run does not become its own", () => {
    const guard = new Guard(run, limits);
    const settle = guard.admit({ method: "POST", path: services, requestBody: named() });
    settle({ status: 409, responseBody: { service_id: "foreign001" } });
    expect(guard.isOwn("foreign001")).toBe(false);
});

test("the number of services counts creations in flight, and a deletion makes room", () => {
    const guard = withOrders();
    const create = () => guard.admit({ method: "POST", path: services, requestBody: named() });
    const settle = create();
    expect(create).toThrow("services");
    settle(undefined);
    guard.admit({
        method: "POST",
        path: `${services}/orders0001/forkService`,
        requestBody: { fork_strategy: "NOW" },
    })({ status: 202, responseBody: { service_id: "copy000001" } });
    expect(create).toThrow("services");
    guard.admit({ method: "DELETE", path: `${services}/copy000001`, requestBody: undefined })({
        status: 202,
        responseBody: undefined,
    });
    expect(create).not.toThrow();
});
