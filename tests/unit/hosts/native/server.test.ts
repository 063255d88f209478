import { Metadata, type handleUnaryCall } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ConfigureRequest, CreateRequest, InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { secretSignature, signatureKey } from "../../../../provider/hosts/codec";
import { connectEngine } from "../../../../provider/hosts/engine";
import { NativeServer } from "../../../../provider/hosts/native/server";
import type { Engine } from "../../../../provider/model/engine";
import { pack, unpack } from "../../../../provider/hosts/native/values";
import { json, serve } from "../../../support/loopback";

/** Starts a plugin as a person does, and calls its methods as an engine does. `exit` ends the engine at an address. */
function start() {
    const exits = new Map<string | undefined, AbortController>();
    const connect = (address: string | undefined): Engine => {
        const ended = new AbortController();
        exits.set(address, ended);
        return { ...connectEngine(undefined), address, runEnded: ended.signal };
    };
    const handlers = new NativeServer("{}", connect, jest.fn()).handlers();
    const call = (method: string, request: unknown) =>
        new Promise<unknown>((resolve, reject) => {
            const received = { request, metadata: new Metadata() };
            (handlers[method] as handleUnaryCall<unknown, unknown>)(received as never, (error, response) =>
                error ? reject(new Error(error.details ?? "")) : resolve(response),
            );
        });
    const configure = (baseUrl: string, name = "default_0_1_0") =>
        call(
            "configure",
            new ConfigureRequest().setName(name).setArgs(pack({ baseUrl, accessToken: "t", projectId: "emulator01" })),
        );
    const invoke = (name: string) =>
        call("invoke", new InvokeRequest().setTok(`clouddb:index:${name}`).setArgs(pack({})));
    const attach = (address: string) => call("attach", new PluginAttach().setAddress(address));
    return { call, configure, invoke, attach, exit: (address: string) => exits.get(address)?.abort() };
}

const servesProjects = () => serve((response) => json(response, 200, []));

it.each(["constructor", "__proto__", "toString", "Servce"])(
    "a resource type or a function named %s does not exist",
    async (name) => {
        const { call, configure, invoke } = start();
        await configure("http://127.0.0.1:9/v1");
        const urn = `urn:pulumi:dev::shop::clouddb:index:${name}::orders`;
        await expect(call("create", new CreateRequest().setUrn(urn))).rejects.toThrow(name);
        await expect(invoke(name)).rejects.toThrow(name);
    },
);

it.each([
    ["default", "clouddb:accessToken"],
    ["default_0_1_0", "clouddb:accessToken"],
    ["analytics", 'accessToken of provider "analytics"'],
])("the error for a wrong token of the provider %s names %s", async (name, place) => {
    const { configure, invoke } = start();
    const { url } = await serve((response) => json(response, 401, { code: "UNAUTHENTICATED", message: "No" }));
    await configure(url, name);
    await expect(invoke("getProjects")).rejects.toThrow(place);
});

it("a second Configure with the same settings continues the session, and Cancel ends its operations", async () => {
    const { call, configure, invoke } = start();
    const { url, arrived } = await serve(() => undefined);
    await configure(url);
    const reading = invoke("getProjects");
    reading.catch(() => undefined);
    await arrived;
    await configure(url);
    await call("cancel", {});
    await expect(reading).rejects.toThrow("cancelled");
});

it("a plugin is usable again if it is configured after Cancel", async () => {
    const { call, configure, invoke } = start();
    const { url, received } = await servesProjects();
    await configure(url);
    await call("cancel", {});
    await configure(url);
    await invoke("getProjects");
    expect(received).toHaveLength(1);
});

it("another Configure with other settings is refused during a run, and the first session continues", async () => {
    const { call, configure, invoke } = start();
    const [here, there] = [await servesProjects(), await servesProjects()];
    await configure(here.url);
    await expect(configure(there.url)).rejects.toThrow("one provider");
    await invoke("getProjects");
    expect([here.received.length, there.received.length]).toEqual([1, 0]);
    await call("cancel", {});
    await configure(there.url);
    await invoke("getProjects");
    expect([here.received.length, there.received.length]).toEqual([1, 1]);
});

describe("a second engine", () => {
    const [first, second] = ["127.0.0.1:1", "127.0.0.1:2"] as const;

    it("is refused during a run, and the first one may connect again", async () => {
        const { attach, configure, invoke } = start();
        const { url, received } = await servesProjects();
        await attach(first);
        await configure(url);
        await expect(attach(second)).rejects.toThrow("only one at a time");
        await attach(first);
        await invoke("getProjects");
        expect(received).toHaveLength(1);
    });

    it.each([
        ["has ended", ({ call }: ReturnType<typeof start>) => call("cancel", {})],
        ["was killed", ({ exit }: ReturnType<typeof start>) => exit(first)],
    ])("has the plugin when the run %s, with a session of its own", async (_, end) => {
        const plugin = start();
        const { url, received } = await servesProjects();
        await plugin.attach(first);
        await plugin.configure(url);
        await end(plugin);
        await plugin.attach(second);
        await expect(plugin.invoke("getProjects")).rejects.toThrow("configuration");
        await plugin.configure(url);
        await plugin.invoke("getProjects");
        expect(received).toHaveLength(1);
    });
});

it("a function returns each text, also the word of a shared size, and only a shared size is absent: that of a service without CPU", async () => {
    const { call, configure } = start();
    const ids = { service_id: "s1", project_id: "emulator01", region_code: "us-east-1", service_type: "POSTGRES" };
    const shown = { name: "shared", status: "READY", created: "2026-01-01T00:00:00Z" };
    const resources = [{ id: "1", spec: { memory_gbs: 4 } }];
    const { url } = await serve((response) => json(response, 200, { ...ids, ...shown, resources }));
    await configure(url);
    const args = new InvokeRequest().setArgs(pack({ serviceId: "s1" }));
    const response = (await call("invoke", args.setTok("clouddb:index:getService"))) as InvokeResponse;
    const { values } = unpack(response.getReturn());
    expect(values).toMatchObject({ name: "shared" });
    expect(values).not.toHaveProperty("cpuMillis");
    expect(values).not.toHaveProperty("memoryGbs");
});

describe("the services of a project", () => {
    const secretMark = { [signatureKey]: secretSignature };

    /** Reads them with these settings, and returns the path of the request with the packed result. */
    async function read(settings: object, args: object = {}, isPreview = false) {
        const { call } = start();
        const { url: baseUrl, received } = await servesProjects();
        const config = { baseUrl, accessToken: "t", ...settings };
        await call("configure", new ConfigureRequest().setArgs(pack(config)));
        const request = new InvokeRequest().setTok("clouddb:index:getServices").setArgs(pack({ ...args }));
        const response = (await call("invoke", request.setPreview(isPreview))) as InvokeResponse;
        return { path: received[0]?.url, services: response.getReturn()?.toJavaScript().services };
    }

    it("are a secret only if they show that the secret setting names the project", async () => {
        const secretProject = { projectId: { ...secretMark, value: "emulator01" } };
        expect(await read(secretProject)).toMatchObject({ services: { ...secretMark, value: [] } });
        expect(await read(secretProject, { projectId: "other" })).toMatchObject({ services: [] });
        expect(await read({ projectId: "emulator01" })).toMatchObject({ services: [] });
    });

    it("are read in a preview too, and of a project whose id the program declares as a number", async () => {
        const { path } = await read({ projectId: 1234567890 }, {}, true);
        expect(path).toContain("/1234567890/");
    });
});
