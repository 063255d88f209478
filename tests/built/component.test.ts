import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { credentials } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest, ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { pack } from "../../provider/hosts/native/values";
import { startMonitor } from "../support/monitor";

const output = (members: object) => ({
    "4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4",
    ...members,
});
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urnOf = (type: string, name: string) => `urn:pulumi:dev::shop::clouddb:index:${type}::${name}`;

/** One process for all tests, because Node.js reports a promise that nothing handles only there. */
let plugin: ChildProcessByStdio<null, Readable, null>;
let address: string;
const clients: ResourceProviderClient[] = [];

beforeAll(async () => {
    const executable = join(__dirname, "..", "..", "pulumi-resource-clouddb");
    // A connection to this computer does not use a proxy.
    const env = { ...process.env, https_proxy: "http://127.0.0.1:9", no_proxy: "", no_grpc_proxy: "" };
    plugin = spawn(process.execPath, [executable], { stdio: ["ignore", "pipe", "inherit"], env });
    const [port] = (await once(plugin.stdout, "data")) as [Buffer];
    address = `127.0.0.1:${port.toString().trim()}`;
});
afterAll(() => {
    clients.forEach((client) => client.close());
    plugin.kill("SIGKILL");
});

/** A monitor, and a provider of the plugin on a connection of its own. */
async function start(outcomeOf?: Parameters<typeof startMonitor>[0]) {
    const monitor = await startMonitor(outcomeOf);
    const client = new ResourceProviderClient(address, credentials.createInsecure(), {
        "grpc.use_local_subchannel_pool": 1,
    });
    clients.push(client);
    const settings = { projectId: "p1", baseUrl: "http://127.0.0.1:9/v1", accessToken: "t" };
    await new Promise((resolve) => client.configure(new ConfigureRequest().setArgs(pack(settings)), resolve));
    return {
        registered: monitor.registered,
        construct: (
            inputs: Record<string, unknown>,
            name = "orders",
            change = (request: ConstructRequest): ConstructRequest => request,
        ) =>
            new Promise<ConstructResponse>((resolve, reject) => {
                const request = new ConstructRequest()
                    .setProject("shop")
                    .setStack("dev")
                    .setMonitorendpoint(monitor.address)
                    .setType("clouddb:index:ProductionDatabase")
                    .setName(name)
                    .setInputs(pack(inputs));
                client.construct(change(request), (error, response) =>
                    error === null ? resolve(response) : reject(error),
                );
            }),
        cancel: () => new Promise((resolve) => client.cancel(new Empty(), resolve)),
    };
}

// What the plugin registers is compared with what the class registers by tests/native/component.test.ts.
describe("a component of the plugin", () => {
    it("has the aliases of the program, also those without a parent", async () => {
        const { registered, construct } = await start();
        const group = "urn:pulumi:dev::shop::test:index:Group::group";
        const specs = [new Alias.Spec().setName("sales"), new Alias.Spec().setNoparent(true)];
        const aliases = specs.map((spec) => new Alias().setSpec(spec));
        await construct({ cpuMillis: 500 }, "orders", (one) => one.setParent(group).setAliasesList(aliases));
        const found = registered[0]?.getAliasesList().map((alias) => alias.getSpec()?.toObject());
        expect(found).toMatchObject([
            { name: "sales", parenturn: group },
            { name: "", noparent: true },
        ]);
    });

    it("registers its service with the inputs of the program and its defaults only, which are what a transform sees", async () => {
        const { registered, construct } = await start();
        await construct({ cpuMillis: 500 }, "orders", (one) => one.setDryrun(true));
        const service = registered.find((one) => one.getType() === "clouddb:index:Service");
        expect(service?.getObject()?.toJavaScript()).toEqual({
            cpuMillis: 500,
            replicaCount: 1,
            connectionPooler: true,
            environment: "PROD",
        });
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
        const { registered, construct } = await start();
        await expect(construct(inputs)).rejects.toThrow(message);
        expect(registered).toEqual([]);
    });

    it("an unknown type of component is an error", async () => {
        const { construct } = await start();
        await expect(construct({}, "orders", (one) => one.setType("clouddb:index:Vpc"))).rejects.toThrow(
            "This plugin has no component type clouddb:index:Vpc.",
        );
    });

    it("a failed registration fails its own call, and the plugin constructs others at the same time and afterwards", async () => {
        const { construct } = await start((name) => (name.startsWith("bad") && name !== "bad" ? "refused" : {}));
        const component = (name: string) => construct({ cpuMillis: 500, readReplicas: { one: {}, two: {} } }, name);
        const results = await Promise.allSettled([component("good"), component("bad"), component("fine")]);
        expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        const urns = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.getUrn()] : []));
        expect(urns).toEqual(["good", "fine"].map((name) => urnOf("ProductionDatabase", name)));
        await component("later");
    });

    it("the resources of a failed service depend on values that are not known", async () => {
        const { registered, construct } = await start((_, type) => (type.endsWith(":Service") ? "failed" : {}));
        await construct({ cpuMillis: 500, readReplicas: { copy: {} } });
        expect(registered[2]?.getObject()?.toJavaScript()).toMatchObject({ serviceId: unknownText });
        expect(registered[2]?.getDependenciesList()).toEqual([urnOf("Service", "orders")]);
    });

    it.each(["ended", "never"] as const)("fails when the run has ended (%s)", async (outcome) => {
        const { registered, construct, cancel } = await start(() => outcome);
        const running = construct({ cpuMillis: 500 });
        const end = jest.fn();
        running.catch(end);
        while (registered.length < 2 && end.mock.calls.length === 0) {
            await new Promise((resolve) => setImmediate(resolve));
        }
        await cancel();
        const message = "The run ended before all resources of the component were complete.";
        await expect(running).rejects.toThrow(message);
        await expect(construct({ cpuMillis: 500 })).rejects.toThrow(message);
    });
});
