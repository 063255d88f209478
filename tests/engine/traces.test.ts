import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageName, removeStacks } from "../support/engine";
import { fromText, startProject } from "../support/project";

afterAll(removeStacks);

const password = "canary-password-1";
const program = `
const { Service } = require("${packageName}");
new Service("orders", { name: "canary-name", password: "${password}", paused: true });
`;

interface Span {
    readonly name: string;
    readonly spanId: string;
    readonly parentSpanId?: string;
    readonly startTimeUnixNano: string;
    readonly endTimeUnixNano: string;
}

/** The spans of the provider in a file of the engine, which has one message a line. */
function spansIn(text: string): Span[] {
    interface Group {
        readonly resource: { readonly attributes?: readonly { readonly value: { readonly stringValue?: string } }[] };
        readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
    }
    const groups = text
        .split("\n")
        .filter((line) => line !== "")
        .flatMap((line) => (JSON.parse(line) as { resourceSpans: readonly Group[] }).resourceSpans);
    return groups
        .filter(({ resource }) => resource.attributes?.some(({ value }) => value.stringValue === "pulumi-clouddb"))
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

test("`pulumi up --otel-traces` writes where the time went, without secrets", async () => {
    const project = await startProject(fromText(program), { faults: ["createService:429,retryAfterMs=1000"] });
    const file = join(project.folder, "trace.json");
    await project.pulumi("up", "--yes", "--skip-preview", "--otel-traces", `file://${file}`);
    const spans = spansIn(readFileSync(file, "utf8"));
    const parentOf = (name: string) => {
        const { parentSpanId } = spans.find((one) => one.name === name) ?? {};
        return spans.find(({ spanId }) => spanId === parentSpanId)?.name;
    };
    expect(parentOf("request createService")).toBe("create Service");
    expect(parentOf("pause before a retry")).toBe("request createService");
    expect(parentOf("step stopService")).toBe("create Service");
    expect(parentOf("request stopService")).toBe("step stopService");
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
    expect(JSON.stringify(spans)).not.toMatch(new RegExp(`canary|emulator01|${project.emulator.token}`));
}, 120_000);
