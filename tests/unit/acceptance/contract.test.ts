import { callOf, schemaDifferences, type Exchange } from "../../acceptance/contract";
import { factDifferences } from "../../acceptance/facts";

const service = {
    service_id: "abcdefghij",
    name: "orders",
    project_id: "acceptance",
    created: "2026-03-01T12:00:00Z",
    region_code: "us-east-1",
    resources: [{ id: "1", spec: { cpu_millis: 500, memory_gbs: 2, volume_type: "gp3" } }],
    service_type: "POSTGRES",
    status: "CONFIGURING",
};

/** The differences of a response; by default the one to a read of a service. */
function differencesOf(responseBody: unknown, changes: Partial<Exchange> = {}): string[] {
    const path = "/projects/acceptance/services/abcdefghij";
    const exchange: Exchange = { method: "GET", path, requestBody: undefined, status: 200, responseBody, ...changes };
    const call = callOf(exchange);
    return call === undefined
        ? ["no operation"]
        : [...schemaDifferences(call, exchange), ...factDifferences(call, exchange)];
}

test("a documented response has no difference", () => {
    expect(differencesOf(service)).toEqual([]);
});

const different: [string, object, string][] = [
    ["an unknown status", { status: "MIGRATING" }, 'getService 200: status has the undocumented value "MIGRATING"'],
    [
        "the brand's own type",
        { service_type: "TIMESCALEDB" },
        'getService 200: service_type has the undocumented value "TIMESCALEDB"',
    ],
    ["an additional field", { tier: 1 }, 'getService 200: the body has the undocumented field "tier"'],
    [
        "an additional nested field",
        { resources: [{ spec: { iops: 3 } }] },
        'getService 200: resources.[].spec has the undocumented field "iops"',
    ],
    ["a missing field", { region_code: undefined }, 'getService 200: the body has no field "region_code"'],
    ["null", { read_replica_sets: null }, "getService 200: read_replica_sets must be array, but is null"],
    [
        "another type",
        { resources: [{ spec: { cpu_millis: "500" } }] },
        "getService 200: resources.[].spec.cpu_millis must be number",
    ],
    ["a local time", { created: "2026-03-01 12:00" }, 'getService 200: created must match format "date-time"'],
    ["a password", { initial_password: "secret" }, "getService: a later response contains initial_password"],
    [
        "an alias with another value",
        { vpc_endpoint: { host: "a" }, vpcEndpoint: { host: "b" } },
        "getService: vpcEndpoint differs from vpc_endpoint",
    ],
];

test.each(different)("%s is a difference", (_, changes, expected) => {
    expect(differencesOf(JSON.parse(JSON.stringify({ ...service, ...changes })))).toEqual([expected]);
});

test("each difference of a response is listed", () => {
    expect(
        differencesOf({ ...service, tier: 1, status: "MIGRATING", resources: [{ size: 1 }, { size: 2 }] }),
    ).toHaveLength(3);
});

test("another status of success is a difference", () => {
    expect(differencesOf(service, { status: 206 })).toEqual(["getService: succeeds with 206, not 200"]);
});

test("an error without code and message is a difference, but not one that a proxy may send", () => {
    expect(differencesOf("<html>", { status: 403 })).toEqual(["getService 403: the body must be object"]);
    expect(differencesOf({ code: "NOT_FOUND", message: "unknown" }, { status: 404 })).toEqual([]);
    expect(differencesOf("<html>", { status: 502 })).toEqual([]);
});

test("the rejection of a documented change is a difference, but not that of another one or of a busy service", () => {
    const path = "/projects/acceptance/services/abcdefghij/resize";
    const error = { code: "BAD_REQUEST", message: "no" };
    const resize = (status: number, size: unknown) =>
        differencesOf(error, { method: "POST", path, status, requestBody: { cpu_millis: size, memory_gbs: "2" } });
    expect(resize(400, "500")).toEqual(["resizeService: rejects a documented request with 400"]);
    expect(resize(404, "500")).toEqual(["resizeService: rejects a documented request with 404"]);
    expect(resize(409, "500")).toEqual([]);
    expect(resize(400, 500)).toEqual([]);
});

test("the differences of a creation and of an accepted change are found", () => {
    const created = { method: "POST", path: "/projects/acceptance/services", status: 202 };
    expect(differencesOf({ ...service, initial_password: "secret" }, created)).toEqual([]);
    expect(differencesOf({ ...service, service_id: "UPPER" }, created)).toEqual([
        "createService: the response has no initial_password",
        "createService: the service_id is not 10 lower-case letters and digits",
    ]);
    const resize = { method: "POST", path: "/projects/acceptance/services/abcdefghij/resize", status: 202 };
    expect(differencesOf({ ...service, status: "READY" }, resize)).toEqual([
        "resizeService: the response already has a final status",
    ]);
});

test("a fork with another parent, or with replicas, is a difference", () => {
    const fork = { method: "POST", path: "/projects/acceptance/services/abcdefghij/forkService", status: 202 };
    const body = { ...service, initial_password: "secret" };
    expect(differencesOf({ ...body, forked_from: { service_id: "abcdefghij" } }, fork)).toEqual([]);
    const other = { forked_from: { service_id: "another001" }, ha_replicas: { replica_count: 1 } };
    expect(differencesOf({ ...body, ...other }, fork)).toEqual([
        "forkService: the fork starts with high-availability replicas",
        "forkService: forked_from is not the parent",
    ]);
});

test("a page of logs in another order is a difference", () => {
    const logs = { path: "/projects/acceptance/services/abcdefghij/logs" };
    const entries = ["2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z"].map((timestamp) => ({
        timestamp,
        message: "ready",
        severity: "LOG",
    }));
    expect(differencesOf({ logs: [], entries }, logs)).toEqual([
        "getServiceLogs: the entries are not in the order newest first",
    ]);
    expect(differencesOf({ logs: [], entries: entries.reverse() }, logs)).toEqual([]);
});
