import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { systemClock, type Clock } from "../api/clock";
import { receiveSpans, type Parent, type Span } from "../api/trace";
import { version } from "../api/version.gen";
import { insecureByPulumi, type Engine, type Insecure } from "./engine";

// Spans for `pulumi --otel-traces`: the engine receives them by the OpenTelemetry protocol and adds its own.

/** The variable in which the engine passes the address that receives spans. */
const endpointVariable = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";
const exportMethod = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
/** A receiver that does not respond delays a call of the engine by at most this. */
const exportMs = 2_000;

/** An engine that receives the spans of a call before the call ends, if the user asked for them. */
export function withSpans(
    engine: Engine,
    insecure: Insecure = insecureByPulumi,
    env: NodeJS.ProcessEnv = process.env,
    clock: Clock = systemClock,
): Engine {
    const endpoint = env[endpointVariable];
    if (endpoint === undefined || endpoint === "") {
        return engine;
    }
    const client = new EngineClient(endpoint, insecure());
    const spans: Span[] = [];
    receiveSpans((span) => spans.push(span));
    const send = () => {
        const content = exportRequest(spans.splice(0));
        const options = { deadline: clock.now() + exportMs };
        // A span that cannot be sent does not fail the operation.
        return new Promise<void>((resolve) => {
            client.makeUnaryRequest(exportMethod, same, same, content, options, () => resolve());
        });
    };
    return {
        ...engine,
        flushed: async () => {
            await Promise.all([engine.flushed(), ...(spans.length > 0 ? [send()] : [])]);
        },
    };
}

/** The parent in the header `traceparent` of a call. */
export function parentOf(header: unknown): Parent | undefined {
    const [, traceId, id] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(String(header)) ?? [];
    return traceId === undefined ? undefined : { traceId, id };
}

const same = (content: Buffer): Buffer => content;

/** The message ExportTraceServiceRequest of the OpenTelemetry protocol. */
export function exportRequest(spans: readonly Span[]): Buffer {
    const resource = message(1, keyValue("service.name", "pulumi-clouddb"), keyValue("service.version", version));
    const scope = message(1, text(1, "pulumi-clouddb"));
    return message(1, resource, message(2, scope, ...spans.map(spanMessage)));
}

function spanMessage({ traceId, id, parentId = "", name, attributes, beganAt, endedAt, error }: Span): Buffer {
    const failed = 2;
    return message(
        2,
        message(1, Buffer.from(traceId, "hex")),
        message(2, Buffer.from(id, "hex")),
        message(4, Buffer.from(parentId, "hex")),
        text(5, name),
        nanoseconds(7, beganAt),
        nanoseconds(8, endedAt),
        ...Object.entries(attributes).flatMap(([key, value]) =>
            value === undefined ? [] : [message(9, keyValueContent(key, value))],
        ),
        ...(error === undefined ? [] : [message(15, text(2, error), number(3, failed))]),
    );
}

const keyValueContent = (key: string, value: string): Buffer =>
    Buffer.concat([text(1, key), message(2, text(1, value))]);
const keyValue = (key: string, value: string): Buffer => message(1, keyValueContent(key, value));

// Fields of Protocol Buffers, by their wire types.

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const number = (field: number, value: number): Buffer => Buffer.from([...varint(field << 3), ...varint(value)]);
const text = (field: number, value: string): Buffer => message(field, Buffer.from(value));

function message(field: number, ...content: readonly Buffer[]): Buffer {
    const length = content.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(length)]), ...content]);
}

function nanoseconds(field: number, ms: number): Buffer {
    const value = Buffer.alloc(8);
    value.writeBigUInt64LE(BigInt(Math.round(ms * 1_000)) * 1_000n);
    return Buffer.concat([Buffer.from(varint((field << 3) | 1)), value]);
}
