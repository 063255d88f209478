import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import * as generated from "@opentelemetry/otlp-transformer/build/src/generated/root";
import { receiveSpans, traced, type Span } from "../../../provider/api/trace";
import { connectEngine } from "../../../provider/hosts/engine";
import { exportRequest, parentOf, withSpans } from "../../../provider/hosts/otlp";

const insecure = () => credentials.createInsecure();

/** A message class of the library, whose types do not contain it. */
interface Message {
    decode(content: Uint8Array): unknown;
    toObject(message: unknown, options: object): { resourceSpans?: unknown };
}
const { opentelemetry } = generated as unknown as {
    opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } };
};
const traces = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

const span: Span = {
    traceId: "0123456789abcdef0123456789abcdef",
    id: "0123456789abcdef",
    parentId: "fedcba9876543210",
    name: "step resizeService – größer",
    attributes: { urn: `urn:pulumi:${"x".repeat(300)}`, id: undefined },
    beganAt: Date.UTC(2030, 0, 1) + 0.125,
    endedAt: Date.UTC(2030, 0, 1) + 1_500.5,
    error: undefined,
};

afterEach(() => receiveSpans(undefined));

function decoded(content: Uint8Array) {
    const [group] = traces.toObject(traces.decode(content), { longs: String, bytes: Array }).resourceSpans as [
        { resource: object; scopeSpans: [{ spans: Record<string, unknown>[] }] },
    ];
    return { resource: group.resource, spans: group.scopeSpans[0].spans };
}
const bytes = (hex: string) => [...Buffer.from(hex, "hex")];

describe("the message with spans", () => {
    test("an independent decoder of OpenTelemetry reads all fields", () => {
        const { resource, spans } = decoded(
            exportRequest([span, { ...span, parentId: undefined, error: "ApiError 503" }]),
        );
        expect(resource).toMatchObject({
            attributes: [
                { key: "service.name", value: { stringValue: "pulumi-clouddb" } },
                { key: "service.version", value: {} },
            ],
        });
        expect(spans).toEqual([
            {
                traceId: bytes(span.traceId),
                spanId: bytes(span.id),
                parentSpanId: bytes("fedcba9876543210"),
                name: span.name,
                startTimeUnixNano: "1893456000000125000",
                endTimeUnixNano: "1893456001500500000",
                attributes: [{ key: "urn", value: { stringValue: span.attributes.urn } }],
            },
            expect.objectContaining({ parentSpanId: [], status: { message: "ApiError 503", code: 2 } }),
        ]);
    });
});

test.each([
    ["00-0123456789abcdef0123456789abcdef-0123456789abcdef-01", { traceId: span.traceId, id: span.id }],
    [undefined, undefined],
    ["nonsense", undefined],
])("the parent of a call with the header %s is %j", (header, parent) => {
    expect(parentOf(header)).toEqual(parent);
});

describe("the engine of a run with --otel-traces", () => {
    let server: Server;
    let endpoint: string;
    const received: Buffer[] = [];

    beforeAll(async () => {
        const same = (content: Buffer) => content;
        server = new Server();
        server.addService(
            {
                export: {
                    path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
                    requestStream: false,
                    responseStream: false,
                    requestSerialize: same,
                    requestDeserialize: same,
                    responseSerialize: same,
                    responseDeserialize: same,
                },
            },
            {
                export: (call: { request: Buffer }, respond: (error: null, response: Buffer) => void) => {
                    received.push(call.request);
                    respond(null, Buffer.alloc(0));
                },
            },
        );
        endpoint = await new Promise((resolve, reject) => {
            server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
                if (error) {
                    reject(error);
                } else {
                    resolve(`127.0.0.1:${port}`);
                }
            });
        });
    });
    afterAll(() => server.forceShutdown());

    const none = connectEngine(undefined);

    test("the engine receives the spans of a call before the call ends, each once", async () => {
        const engine = withSpans(none, insecure, { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
        await traced("update Service", { urn: "u" }, () => traced("step stopService", {}, () => Promise.resolve()));
        await engine.flushed();
        await engine.flushed();
        expect(received).toHaveLength(1);
        const { spans } = decoded(received[0] ?? Buffer.alloc(0));
        expect(spans.map(({ name }) => name)).toEqual(["step stopService", "update Service"]);
        expect(spans[0]?.parentSpanId).toEqual(spans[1]?.spanId);
    });

    test("a receiver that is gone does not fail an operation", async () => {
        const engine = withSpans(none, insecure, { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:9" });
        await traced("update Service", {}, () => Promise.resolve());
        await expect(engine.flushed()).resolves.toBeUndefined();
    });

    test("nothing is recorded in a run without --otel-traces", () => {
        expect(withSpans(none, insecure, {})).toBe(none);
    });
});
