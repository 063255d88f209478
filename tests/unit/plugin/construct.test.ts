import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { credentials } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { pack } from "../../../provider/hosts/native/values";
import { closeMonitors, startMonitor } from "../../support/monitor";

afterEach(closeMonitors);

type Dependencies = RegisterResourceRequest.PropertyDependencies;

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (members: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...members });
const reference = (urn: string) => ({ [signature]: "5cf8f73096256a8f31e491e813e4eb8e", urn, id: "an-id" });
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::clouddb:index:${type}::${name}`;

const url = "postgres://tsdbadmin:p%20w@db.test:5432/tsdb?sslmode=require";

/** The outputs of a service without a connection pooler. */
const outputsOfService = {
    serviceId: "s1",
    projectId: "p1",
    host: "db.test",
    port: 5432,
    initialPassword: secret("p w"),
    connectionString: secret(url),
};

/** One process for all tests, because Node.js reports a promise that nothing handles only there. */
let plugin: ChildProcessByStdio<null, Readable, null>;
let address: string;
const clients: ResourceProviderClient[] = [];

beforeAll(async () => {
    const executable = join(__dirname, "..", "..", "..", "pulumi-resource-clouddb");
    plugin = spawn(process.execPath, [executable], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(plugin.stdout, "data")) as [Buffer];
    address = `127.0.0.1:${port.toString().trim()}`;
});
afterAll(() => {
    clients.forEach((client) => client.close());
    plugin.kill("SIGKILL");
});

/** Configures a provider of the plugin, on a connection of its own. */
async function configure() {
    const client = new ResourceProviderClient(address, credentials.createInsecure(), {
        "grpc.use_local_subchannel_pool": 1,
    });
    clients.push(client);
    const settings = { projectId: "p1", baseUrl: "http://127.0.0.1:9/v1", accessToken: "t" };
    await new Promise((resolve) => client.configure(new ConfigureRequest().setArgs(pack(settings)), resolve));
    return {
        construct: (request: ConstructRequest) =>
            new Promise<ConstructResponse>((resolve, reject) => {
                client.construct(request, (error, response) => (error === null ? resolve(response) : reject(error)));
            }),
        cancel: () => new Promise((resolve) => client.cancel(new Empty(), resolve)),
    };
}

const request = (address: string, inputs: Record<string, unknown>, name = "orders") =>
    new ConstructRequest()
        .setProject("shop")
        .setStack("dev")
        .setMonitorendpoint(address)
        .setType("clouddb:index:ProductionDatabase")
        .setName(name)
        .setInputs(pack(inputs));

/** What a registration says about a resource: its inputs, the resources on which they depend, and its protection. */
function summary(registration: RegisterResourceRequest) {
    const dependencies = [...(registration.getPropertydependenciesMap().entries() as Iterable<[string, Dependencies]>)];
    const found = dependencies.map(([name, urns]) => [name, urns.getUrnsList()] as const);
    return {
        name: registration.getName(),
        inputs: registration.getObject()?.toJavaScript(),
        dependencies: Object.fromEntries(found.filter(([, urns]) => urns.length > 0)),
        protect: registration.hasProtect() ? registration.getProtect() : undefined,
    };
}

const defaults = { replicaCount: 1, connectionPooler: true, environment: "PROD" };

describe("a component of the plugin", () => {
    it("consists of a service and its replica sets, and returns references to them and the URLs of the service", async () => {
        const monitor = await startMonitor((_, type) => (type.endsWith(":Service") ? outputsOfService : {}));
        const { construct } = await configure();
        const inputs = { cpuMillis: 1000, readReplicas: { reports: { cpuMillis: 500 }, search: null } };
        const response = await construct(request(monitor.address, inputs));

        const ofService = { serviceId: "an-id", projectId: "p1", password: secret("p w"), __derivedFrom: ["password"] };
        const service = urnOf("Service", "orders");
        const dependencies = { serviceId: [service], projectId: [service], password: [service] };
        expect(monitor.registered.map(summary)).toEqual([
            { name: "orders", inputs: {}, dependencies: {}, protect: undefined },
            { name: "orders", inputs: { cpuMillis: 1000, memoryGbs: 4, ...defaults }, dependencies: {}, protect: true },
            {
                name: "orders-reports",
                inputs: { nodes: 1, cpuMillis: 500, memoryGbs: 2, ...ofService },
                dependencies,
                protect: undefined,
            },
            {
                name: "orders-search",
                inputs: { nodes: 1, cpuMillis: 1000, memoryGbs: 4, ...ofService },
                dependencies,
                protect: undefined,
            },
        ]);
        const urls = {
            connectionString: secret(url),
            poolerConnectionString: secret(null),
            vpcConnectionString: secret(null),
        };
        expect(monitor.outputs.map((one) => one.getOutputs()?.toJavaScript())).toEqual([urls]);
        expect(response.getUrn()).toBe(urnOf("ProductionDatabase", "orders"));
        expect(response.getState()?.toJavaScript()).toEqual({
            service: reference(service),
            readReplicas: {
                reports: reference(urnOf("ReadReplicaSet", "orders-reports")),
                search: reference(urnOf("ReadReplicaSet", "orders-search")),
            },
            ...urls,
        });
    });

    it("keeps secrets, unknown values and dependencies, also in the values that it derives", async () => {
        const monitor = await startMonitor();
        const { construct } = await configure();
        const network = urnOf("Vpc", "network");
        const inputs = {
            cpuMillis: output({ value: 1000, secret: true, dependencies: [network] }),
            vpcId: output({ dependencies: [network] }),
            password: "a-password",
            deletionProtection: output({ value: true }),
            readReplicas: {
                known: { cpuMillis: output({ value: 500, dependencies: [network] }) },
                unknown: { cpuMillis: output({}) },
            },
        };
        await construct(request(monitor.address, inputs).setDryrun(true));

        const found = Object.fromEntries(monitor.registered.slice(1).map((one) => [one.getName(), summary(one)]));
        const { orders: service, "orders-known": known, "orders-unknown": unknown } = found;
        expect(service).toEqual({
            name: "orders",
            inputs: {
                ...defaults,
                deletionProtection: true,
                cpuMillis: secret(1000),
                memoryGbs: secret(4),
                vpcId: unknownText,
                password: secret("a-password"),
            },
            dependencies: { cpuMillis: [network], memoryGbs: [network], vpcId: [network] },
            protect: undefined,
        });
        expect(known).toMatchObject({
            inputs: { cpuMillis: 500, memoryGbs: 2 },
            dependencies: { cpuMillis: [network], memoryGbs: [network] },
            protect: undefined,
        });
        expect(unknown?.inputs).toMatchObject({ cpuMillis: unknownText, memoryGbs: unknownText });
    });

    it("passes the options of the program on: a declared protect, timeouts, providers and aliases", async () => {
        const monitor = await startMonitor();
        const { construct } = await configure();
        const group = "urn:pulumi:dev::shop::test:index:Group::group";
        const given = request(monitor.address, { cpuMillis: 500, readReplicas: { copy: {} } })
            .setParent(group)
            .setProtect(false)
            .setDependenciesList([group])
            .setCustomtimeouts(new ConstructRequest.CustomTimeouts().setCreate("30m"))
            .setAliasesList([
                new Alias().setUrn(urnOf("ProductionDatabase", "shop")),
                new Alias().setUrn(urnOf("Service", "moved")),
                new Alias().setSpec(new Alias.Spec().setName("sales")),
                new Alias().setSpec(new Alias.Spec().setNoparent(true)),
            ]);
        const provider = "urn:pulumi:dev::shop::pulumi:providers:clouddb::analytics::its-id";
        given.getProvidersMap().set("clouddb", provider);
        await construct(given);

        const [component, ...children] = monitor.registered;
        expect(component?.getProvidersMap().get("clouddb")).toBe(provider);
        expect(component?.getDependenciesList()).toEqual([group]);
        const absent = { name: "", type: "", stack: "", project: "", parenturn: group };
        expect(component?.getAliasesList().map((alias) => alias.getSpec()?.toObject() ?? alias.getUrn())).toEqual([
            urnOf("ProductionDatabase", "shop"),
            { ...absent, name: "sales" },
            { ...absent, parenturn: undefined, noparent: true },
        ]);
        // The URN of a service names one that the program has moved into the component.
        expect(children.map((child) => child.getAliasesList().map((alias) => alias.getUrn()))).toEqual([
            expect.arrayContaining([urnOf("Service", "moved")]),
            expect.not.arrayContaining([urnOf("Service", "moved")]),
        ]);
        expect(children.map((child) => child.getParent())).toEqual(
            Array(2).fill(urnOf("ProductionDatabase", "orders")),
        );
        expect(monitor.registered.map((one) => summary(one).protect)).toEqual([false, false, false]);
        expect(children.map((child) => child.getCustomtimeouts()?.toObject())).toEqual(
            Array(2).fill({ create: "30m", update: "", pb_delete: "", read: "" }),
        );
    });

    it.each<[string, Record<string, unknown>, string]>([
        ["a missing size", {}, "cpuMillis none is not valid; use the CPU of the service in millicores, such as 1000"],
        ["a shared size", { cpuMillis: "shared" }, 'cpuMillis "shared" is not valid'],
        [
            "sets that are an output",
            { cpuMillis: 500, readReplicas: output({ value: {} }) },
            "readReplicas is not a plain map",
        ],
        [
            "a set that is a number",
            { cpuMillis: 500, readReplicas: { copy: 2 } },
            "readReplicas.copy is not a plain map",
        ],
        [
            "a set that is unknown",
            { cpuMillis: 500, readReplicas: { copy: unknownText } },
            "readReplicas.copy is not a plain map",
        ],
    ])("rejects %s before it registers anything", async (_, inputs, message) => {
        const monitor = await startMonitor();
        const { construct } = await configure();
        await expect(construct(request(monitor.address, inputs))).rejects.toThrow(message);
        expect(monitor.registered).toEqual([]);
    });

    it("an unknown type of component is an error", async () => {
        const { construct } = await configure();
        await expect(construct(request("127.0.0.1:9", {}).setType("clouddb:index:Vpc"))).rejects.toThrow(
            "This plugin has no component type clouddb:index:Vpc.",
        );
    });

    it("a failed registration fails its own call, and the plugin constructs others at the same time and afterwards", async () => {
        const monitor = await startMonitor((name) => (name.startsWith("bad") && name !== "bad" ? "refused" : {}));
        const { construct } = await configure();
        const component = (name: string) =>
            construct(request(monitor.address, { cpuMillis: 500, readReplicas: { one: {}, two: {} } }, name));
        const results = await Promise.allSettled([component("good"), component("bad"), component("fine")]);
        expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        const urns = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.getUrn()] : []));
        expect(urns).toEqual(["good", "fine"].map((name) => urnOf("ProductionDatabase", name)));
        await component("later");
    });

    it("the resources of a failed service depend on values that are not known", async () => {
        const monitor = await startMonitor((_, type) => (type.endsWith(":Service") ? "failed" : {}));
        const { construct } = await configure();
        await construct(request(monitor.address, { cpuMillis: 500, readReplicas: { copy: {} } }));
        expect(monitor.registered[2]?.getObject()?.toJavaScript()).toMatchObject({ serviceId: unknownText });
        expect(monitor.registered[2]?.getDependenciesList()).toEqual([urnOf("Service", "orders")]);
    });

    it.each(["ended", "never"] as const)("fails when the run has ended (%s)", async (outcome) => {
        const monitor = await startMonitor(() => outcome);
        const { construct, cancel } = await configure();
        const running = construct(request(monitor.address, { cpuMillis: 500 }));
        const end = jest.fn();
        running.catch(end);
        while (monitor.registered.length < 2 && end.mock.calls.length === 0) {
            await new Promise((resolve) => setImmediate(resolve));
        }
        await cancel();
        const message = "The run ended before all resources of the component were complete.";
        await expect(running).rejects.toThrow(message);
        await expect(construct(request(monitor.address, { cpuMillis: 500 }))).rejects.toThrow(message);
    });
});
