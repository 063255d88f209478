import { Metadata, Server } from "@grpc/grpc-js";
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { CheckRequest, type CheckResponse, ConfigureRequest, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { connectEngine, onSignal } from "../../../provider/hosts/engine";
import { Session } from "../../../provider/lifecycle/session";
import type { Engine } from "../../../provider/model/engine";
import { NativeServer } from "../../../provider/hosts/native/server";
import { pack } from "../../../provider/hosts/native/values";
import type { Text } from "../../../provider/base/message";
import { lifecycles } from "../../support/lifecycles";
import { addressOf } from "../../support/monitor";
import { projectId } from "../../support/fixtures";
import { TestClock } from "../../support/virtualClock";

const inputs = { projectId, name: "orders", deletionProtection: true };
const urn = (type: string) => `urn:pulumi:dev::shop::${type}::orders`;

/** The preview of a new service, which prints its plan. */
type Preview = (engine: Engine) => Promise<unknown>;

const dynamicPreview: Preview = (engine) => {
    const session = new Session(engine, { CLOUDDB_BASE_URL: "http://127.0.0.1:1/v1" });
    const hidden = { __urn: urn("pulumi-nodejs:dynamic/clouddb:Service"), __program: { isPreview: true } };
    return new DynamicProvider(lifecycles.Service.resource, session).check({}, { ...inputs, ...hidden });
};

const nativePreview: Preview = async (engine) => {
    const handlers = new NativeServer("", () => engine, jest.fn()).handlers();
    const call = (method: string, request: object) =>
        new Promise<unknown>((resolve, reject) => {
            const received = { request, metadata: new Metadata() };
            (handlers[method] as handleUnaryCall<unknown, unknown>)(received as never, (error, response) =>
                error ? reject(new Error(error.details)) : resolve(response),
            );
        });
    const service = urn("clouddb:index:Service");
    await call("configure", new ConfigureRequest());
    const checked = (await call("check", new CheckRequest().setUrn(service).setNews(pack(inputs)))) as CheckResponse;
    await call("create", new CreateRequest().setUrn(service).setProperties(checked.getInputs()).setPreview(true));
};

it.each([
    ["dynamic", dynamicPreview],
    ["native", nativePreview],
])("the %s host ends a call only when the engine has received its lines", async (_, preview) => {
    const lines: string[] = [];
    const note = (_urn: string | undefined, text: Text) => {
        lines.push(...[text].flat());
    };
    const waiting: (() => void)[] = [];
    const flushed = () =>
        lines.length === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve));
    const engine = { ...connectEngine(undefined), info: note, warn: note, flushed };
    let ended = false;
    const call = preview(engine).then(() => {
        ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.join()).toContain("orders");
    expect(ended).toBe(false);
    waiting.forEach((resolve) => resolve());
    await call;
});

/** Prints lines to an engine. Returns them as it receives them, the URNs of their rows, and those that stay. */
async function printed(print: (engine: Engine) => void, isGone = false) {
    const received: string[] = [];
    const urns: string[] = [];
    const permanent: string[] = [];
    const server = new Server();
    server.addService(EngineService, {
        log: ({ request }: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>) => {
            received.push(request.getMessage());
            urns.push(request.getUrn());
            permanent.push(...(request.getEphemeral() ? [] : [request.getMessage()]));
            callback(null, new Empty());
        },
    });
    const address = await addressOf(server);
    if (isGone) {
        server.forceShutdown();
    }
    const engine = connectEngine(address, new TestClock());
    print(engine);
    await engine.flushed().finally(() => server.forceShutdown());
    return { received, urns, permanent };
}

test.each(["grpc_proxy", "https_proxy", "http_proxy"])("lines do not pass the proxy in %s", async (variable) => {
    const unused = { grpc_proxy: "", https_proxy: "", http_proxy: "", no_grpc_proxy: "", no_proxy: "" };
    jest.replaceProperty(process, "env", { ...process.env, ...unused, [variable]: "http://127.0.0.1:9" });
    const { received } = await printed((engine) => engine.warn(undefined, "the only warning")).finally(
        jest.restoreAllMocks,
    );
    expect(received).toEqual(["the only warning"]);
});

test("a line that does not reach the engine fails nothing", async () => {
    const service = urn("pulumi-nodejs:dynamic/clouddb:Service");
    const { received } = await printed((engine) => engine.warn(service, ["the only", "warning"]), true);
    expect(received).toEqual([]);
});

test("the row of a step has its title in place of a type, short and without text that is part of a URN or controls a terminal", async () => {
    const service = urn("my:Shop$pulumi-nodejs:dynamic/clouddb:Service");
    const { urns } = await printed((engine) => {
        engine.showRow(service, "CONFIGURING", "2/4 HA replicas 1 async -> 2 async");
        engine.showRow(service, "CONFIGURING", '1/2 rename "a::b$c" -> "\u009b1m\n\u202e", and much longer than a row');
        engine.showRow(undefined, "CONFIGURING", "1/2 resize");
    });
    expect(urns).toEqual([
        "urn:pulumi:dev::shop::2/4 HA replicas 1 async -> 2 async::orders",
        'urn:pulumi:dev::shop::1/2 rename "a∶∶… -> "?1m ?", and much…::orders',
        "",
    ]);
});

test("text of the API cannot add lines, control the terminal or give commands to the pipeline, and a status does not stay", async () => {
    const text = "::error::\u001b[2J\nREADY\u009b1m\u202e";
    const { received, permanent } = await printed((engine) => {
        engine.showRow(undefined, text);
        engine.info(undefined, `${text}: reason`);
        engine.warn(undefined, [`1 rename ${text}`, "::warning::2"]);
    });
    const plain = ": :error::?[2J READY?1m?";
    const renamed = "1 rename ::error::?[2J READY?1m?";
    expect(received).toEqual([plain, `${plain}: reason`, `${renamed}\n: :warning::2`]);
    expect(permanent).toEqual(received.slice(1));
});

test.each(["SIGINT", "SIGTERM", "SIGBREAK"] as const)(
    "the provider notices that the engine ends it by %s, which is SIGBREAK on Windows",
    (signal) => {
        const end = jest.fn();
        onSignal(end);
        try {
            process.emit(signal);
            expect(end).toHaveBeenCalledTimes(1);
        } finally {
            (["SIGINT", "SIGTERM", "SIGBREAK"] as const).forEach((one) => process.off(one, end));
        }
    },
);
