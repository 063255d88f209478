import { Metadata, type handleUnaryCall } from "@grpc/grpc-js";
import { ConfigureRequest, CreateRequest, InvokeRequest, type InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { secretSignature, signatureKey } from "../../../../provider/hosts/codec";
import { connectEngine } from "../../../../provider/hosts/engine";
import { NativeServer } from "../../../../provider/hosts/native/server";
import { pack, unpack } from "../../../../provider/hosts/native/values";
import { json, serve } from "../../../support/loopback";

/** Calls a method of a plugin as a connection of the engine does. */
function start(address?: string) {
    const plugin = new NativeServer("{}", () => connectEngine(undefined), jest.fn(), address);
    const handlers = plugin.handlers();
    const call = (method: string, request: unknown, peer = "127.0.0.1:1") =>
        new Promise<unknown>((resolve, reject) => {
            const received = { request, metadata: new Metadata(), getPeer: () => peer };
            (handlers[method] as handleUnaryCall<unknown, unknown>)(received as never, (error, response) =>
                error ? reject(new Error(error.details ?? "")) : resolve(response),
            );
        });
    const configure = (baseUrl: string, peer?: string, name = "default_0_1_0") =>
        call(
            "configure",
            new ConfigureRequest().setName(name).setArgs(pack({ baseUrl, accessToken: "t", projectId: "emulator01" })),
            peer,
        );
    const invoke = (name: string, peer?: string) =>
        call("invoke", new InvokeRequest().setTok(`clouddb:index:${name}`).setArgs(pack({})), peer);
    return { call, configure, invoke };
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
    await configure(url, undefined, name);
    await expect(invoke("getProjects")).rejects.toThrow(place);
});

it("Cancel also ends the operations that began before a second Configure", async () => {
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

it("each connection to a plugin that a person has started has its own settings", async () => {
    const { call, configure, invoke } = start();
    const [here, there] = [await servesProjects(), await servesProjects()];
    await configure(here.url, "127.0.0.1:1");
    await configure(there.url, "127.0.0.1:2");
    await call("cancel", {}, "127.0.0.1:2");
    await invoke("getProjects", "127.0.0.1:1");
    expect([here.received.length, there.received.length]).toEqual([1, 0]);
    await expect(invoke("getProjects", "127.0.0.1:3")).rejects.toThrow("configuration");
});

it("a plugin that the engine has started keeps its configuration after a reconnection", async () => {
    const { configure, invoke } = start("127.0.0.1:5");
    const { url, received } = await servesProjects();
    await configure(url, "127.0.0.1:1");
    await invoke("getProjects", "127.0.0.1:2");
    expect(received).toHaveLength(1);
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
