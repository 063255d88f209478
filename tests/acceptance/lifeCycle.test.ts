import { randomBytes } from "node:crypto";
import { ReadReplicaSet, Service, Vpc, type ReadReplicaSetArgs, type ServiceArgs } from "../../sdk/nodejs";
import type { Schemas } from "../../provider/api/contract";
import { host, openStack, typeToken } from "../support/engine";
import { Dialect } from "../../emulator/dialect/dialect";
import { openApi, type Api } from "./api";
import { Differences } from "./differences";
import { startGateway, type Gateway } from "./gateway";
import { Guard } from "./guard";
import { limits, region, sizes, startTarget, type Target } from "./target";

// The tests share one stack and run in this order. A test that fails leaves the program as it was before, so that the
// next update returns to it and the others can run.

/** Begins the name of each resource of this run. */
const prefix = `clouddb-acceptance-${randomBytes(6).toString("hex")}-`;
const nameOf = (name: string) => `${prefix}${name}`;
const differences = new Differences();
/** A seed or the names of rules. The provider gets the answers of the API in this dialect. Default: as they are. */
const { CLOUDDB_ACCEPTANCE_DIALECT: words = "" } = process.env;
const dialect = new Dialect(/^\d+$/.test(words) ? Number(words) : words);
const size = (cpuMillis: number) => ({ cpuMillis, memoryGbs: cpuMillis / 250 });
const wireSize = (cpuMillis: number) => ({ cpu_millis: String(cpuMillis), memory_gbs: String(cpuMillis / 250) });

let target: Target;
let guard: Guard;
let gateway: Gateway;
let api: Api;
let stack: Awaited<ReturnType<typeof openStack>>;

/** What the program declares. */
interface Declared {
    readonly networks: readonly string[];
    readonly orders: ServiceArgs & { readonly network?: string | undefined };
    readonly reports?: Omit<ReadReplicaSetArgs, "serviceId"> | undefined;
    readonly hasFork?: boolean;
    readonly found?: ServiceArgs;
}

let declared: Declared = {
    networks: [],
    orders: { name: nameOf("orders"), addons: ["time-series"], ...size(sizes.small) },
};
/** The ids of the resources of the program, by name. */
let ids: Record<string, string> = {};

const programOf =
    ({ networks, orders: { network, ...args }, reports, hasFork, found }: Declared) =>
    () => {
        const seen: Record<string, string> = {};
        const note = (name: string, { id }: Service | Vpc | ReadReplicaSet) =>
            id.apply((known) => (seen[name] = known));
        const vpcs = networks.map((name, index) => {
            const cidr = `10.250.${index}.0/24`;
            const vpc = new Vpc(`network-${index}`, { name: nameOf(name), cidr, regionCode: region });
            note(`network-${index}`, vpc);
            return [name, vpc] as const;
        });
        const vpcId = vpcs.find(([name]) => name === network)?.[1].vpcId;
        const orders = new Service("orders", { ...args, regionCode: region, ...(vpcId && { vpcId }) });
        note("orders", orders);
        if (reports !== undefined) {
            note("reports", new ReadReplicaSet("reports", { ...reports, serviceId: orders.serviceId }));
        }
        if (hasFork) {
            const fork = { serviceId: orders.serviceId, strategy: "NOW" };
            note("copy", new Service("copy", { name: nameOf("copy"), fork }));
        }
        if (found !== undefined) {
            note("found", new Service("found", found));
        }
        ids = seen;
    };

async function declare(changes: Partial<Declared>): Promise<void> {
    const next = { ...declared, ...changes };
    await stack.up(programOf(next));
    declared = next;
}

const expectNoChanges = async () => {
    await stack.preview(programOf(declared), { refresh: true, expectNoChanges: true });
};

const changeOrders = (changes: Declared["orders"]) => declare({ orders: { ...declared.orders, ...changes } });
const idOf = (name: string): string => ids[name] ?? "none";
const orders = (): Promise<Schemas["Service"]> => api.service(idOf("orders"));

/** Records a difference from the documentation that does not fail the provider. */
function expectDocumented(fact: string, isTrue: boolean, observed: unknown): void {
    if (!isTrue) {
        differences.add(`${fact}, but observed ${JSON.stringify(observed)}`);
    }
}

beforeAll(async () => {
    target = await startTarget();
    guard = new Guard({ projectId: target.projectId, prefix }, limits);
    gateway = await startGateway(target.baseUrl, guard, differences, dialect);
    api = openApi(gateway.url, target);
    stack = await openStack({ ...target, url: gateway.url });
    process.stdout.write(
        `Acceptance of ${target.baseUrl}, project ${target.projectId}, names ${prefix}…: ` +
            `at most ${limits.services} services of ${limits.cpuMillis} millicores. ` +
            `Dialect for the provider: "${dialect.names.join()}".\n`,
    );
});

afterAll(async () => {
    try {
        await stack.destroy();
    } catch (error) {
        process.stdout.write(
            `Resources may be left. Their names begin with ${prefix}: find them in the console, or with npx --no-install clouddb-orphans.\n`,
        );
        throw error;
    } finally {
        process.stdout.write(differences.report(target.baseUrl));
        await target.stop();
    }
});

test("a service is created", async () => {
    await declare({});
    await expectNoChanges();
    const service = await orders();
    expect(service).toMatchObject({ name: nameOf("orders"), status: "READY", project_id: target.projectId });
    expectDocumented("a new service has the tag DEV", service.metadata?.environment === "DEV", service.metadata);
});

describe("each field of a service changes in place", () => {
    test.each<[inputs: string, changes: ServiceArgs, expected: object, back: ServiceArgs | undefined]>([
        ["name", { name: nameOf("orders-renamed") }, { name: nameOf("orders-renamed") }, undefined],
        [
            "cpuMillis and memoryGbs",
            size(sizes.large),
            { resources: [{ spec: { cpu_millis: 1_000, memory_gbs: 4 } }] },
            undefined,
        ],
        [
            "replicaCount and syncReplicaCount",
            { replicaCount: 2, syncReplicaCount: 1 },
            { ha_replicas: { replica_count: 2, sync_replica_count: 1 } },
            { replicaCount: 0, syncReplicaCount: 0 },
        ],
        ["connectionPooler", { connectionPooler: true }, { connection_pooler: {} }, { connectionPooler: false }],
        ["environment", { environment: "PROD" }, { metadata: { environment: "PROD" } }, { environment: "DEV" }],
    ])("%s", async (_, changes, expected, back) => {
        await changeOrders(changes);
        expect(await orders()).toMatchObject(expected);
        if (back) {
            await changeOrders(back);
        }
    });

    test("vpcId, from one network to another and to none", async () => {
        await declare({ networks: ["first", "second"], orders: { ...declared.orders, network: "first" } });
        expect(await orders()).toMatchObject({ vpc_endpoint: { vpc_id: idOf("network-0") } });
        await changeOrders({ network: "second" });
        expect(await orders()).toMatchObject({ vpc_endpoint: { vpc_id: idOf("network-1") } });
        await changeOrders({ network: undefined });
        expect((await orders()).vpc_endpoint?.vpc_id).toBeUndefined();
    });

    test("password", () => changeOrders({ password: `Acceptance-${prefix}` }));

    test("paused", async () => {
        await changeOrders({ paused: true });
        expect(await orders()).toMatchObject({ status: "PAUSED" });
        const { status } = await api.send("POST", `/services/${idOf("orders")}/resize`, wireSize(sizes.large));
        expectDocumented("a paused service rejects a resize with 409", status === 409, status);
        await changeOrders({ paused: false });
        expect(await orders()).toMatchObject({ status: "READY" });
    });

    test("and then nothing is left to change", expectNoChanges);
});

test("the name of a VPC changes in place", async () => {
    await declare({ networks: ["first"] });
    const id = idOf("network-0");
    await declare({ networks: ["renamed"] });
    expect(idOf("network-0")).toBe(id);
    expect((await api.send("GET", `/vpcs/${id}`)).body).toMatchObject({ name: nameOf("renamed") });
});

describe("a read replica set", () => {
    const name = nameOf("reports");
    const changeReports = (changes: Partial<ReadReplicaSetArgs>) =>
        declare({ reports: { ...size(sizes.small), name, ...declared.reports, ...changes } });
    const reports = async () => (await api.replicaSets(idOf("orders")))[0];

    test("is created", async () => {
        await changeReports({});
        expect(await reports()).toMatchObject({ name, status: "active", nodes: 1 });
        const { status, body } = await api.send("GET", `/services/${(await reports())?.id}`);
        const { forked_from: from } = body as Partial<Schemas["Service"]>;
        expectDocumented("getService accepts the id of a replica set", status === 200, status);
        expectDocumented("it then returns is_standby true", from?.is_standby === true, from);
    });

    test.each<[input: string, changes: Partial<ReadReplicaSetArgs>, expected: object]>([
        ["number of nodes", { nodes: 2 }, { nodes: 2 }],
        ["size", size(sizes.large), { cpu_millis: 1_000, memory_gbs: 4 }],
    ])("changes its %s", async (_, changes, expected) => {
        await changeReports(changes);
        expect(await reports()).toMatchObject(expected);
    });

    test("changes its pooler and its environment tag", async () => {
        await changeReports({ connectionPooler: true, environment: "PROD" });
        expect(await reports()).toMatchObject({ metadata: { environment: "PROD" } });
        await changeReports({ connectionPooler: false, environment: "DEV" });
        await expectNoChanges();
    });

    test("is deleted", async () => {
        await declare({ reports: undefined });
        expect(await api.replicaSets(idOf("orders"))).toEqual([]);
    });
});

test("a fork is created from the service, and deleted", async () => {
    await declare({ hasFork: true });
    await expectNoChanges();
    const copy = idOf("copy");
    expect(await api.service(copy)).toMatchObject({
        name: nameOf("copy"),
        forked_from: { service_id: idOf("orders") },
        resources: [{ spec: { cpu_millis: (await orders()).resources[0]?.spec?.cpu_millis } }],
    });
    await declare({ hasFork: false });
    const { status } = await api.send("GET", `/services/${copy}`);
    expectDocumented("a deleted service is not found", status === 404, status);
});

test("a service that was created elsewhere is taken over", async () => {
    const input = { name: nameOf("found"), region_code: region, ...wireSize(sizes.small) };
    const { body } = await api.send("POST", "/services", input);
    const { service_id: id } = body as Schemas["Service"];
    await api.serviceWhen(id, ({ status }) => status === "READY");
    const args: ServiceArgs = { name: input.name, ...size(sizes.small) };
    if (host === "native") {
        await stack.importResources([{ type: typeToken("Service"), name: "found", id }]);
    }
    await declare({ found: host === "native" ? args : { ...args, existingId: id } });
    expect(idOf("found")).toBe(id);
    await expectNoChanges();
});

test("a change that was made elsewhere appears in a preview, and the next update reverts it", async () => {
    await api.send("POST", `/services/${idOf("orders")}/setEnvironment`, { environment: "PROD" });
    await api.serviceWhen(idOf("orders"), ({ metadata }) => metadata?.environment === "PROD");
    const { operations } = await stack.preview(programOf(declared), { refresh: true });
    expect(Object.values(operations).filter((operation) => operation === "update")).toHaveLength(1);
    await stack.up(programOf(declared), { refresh: true });
    expect(await orders()).toMatchObject({ metadata: { environment: "DEV" } });
});

test("rejected requests have the documented status", async () => {
    const unknown = await api.send("GET", "/services/zzzzzzzzzz");
    expectDocumented("an unknown service is not found", unknown.status === 404, unknown.status);
    const anonymous = await api.send("GET", "/services", undefined, "not-a-token");
    expectDocumented("an invalid token is rejected with 401", anonymous.status === 401, anonymous.status);
    const numbers = { cpu_millis: sizes.large, memory_gbs: sizes.large / 250 };
    const resize = await api.send("POST", `/services/${idOf("orders")}/resize`, numbers);
    expectDocumented("a resize with numbers instead of strings is rejected with 400", resize.status === 400, resize);
});

test("the logs of a service can be read", async () => {
    expect((await api.send("GET", `/services/${idOf("orders")}/logs`)).status).toBe(200);
});

test("a destroy deletes everything that the run has created", async () => {
    const services = [idOf("orders"), idOf("found")];
    await stack.destroy();
    for (const id of services) {
        expect((await api.send("GET", `/services/${id}`)).status).toBe(404);
    }
    const { body } = await api.send("GET", "/vpcs");
    expect((body as { id: string }[]).filter(({ id }) => guard.isOwn(id))).toEqual([]);
});

test("the guard has rejected no change of the suite", () => {
    expect(gateway.rejections).toEqual([]);
});

test("the emulator does not differ from the documentation", () => {
    expect(target.isEmulator ? differences.all : []).toEqual([]);
});
