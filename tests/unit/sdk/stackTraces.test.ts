import * as pulumi from "@pulumi/pulumi";
import { Service } from "../../../sdk/nodejs";

beforeAll(() =>
    pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
        call: () => ({}),
    }),
);

/** The number of frames of each stack trace that is recorded while a function runs. */
function recordedFrames(run: () => unknown): number[] {
    const frames: number[] = [];
    const previous: unknown = Reflect.get(Error, "prepareStackTrace");
    Error.prepareStackTrace = (error, sites) => {
        frames.push(sites.length);
        return error.message;
    };
    try {
        run();
    } finally {
        Reflect.set(Error, "prepareStackTrace", previous);
    }
    return frames;
}

test("the constructor of a resource records complete stack traces only for its position in the program", () => {
    const limit = Error.stackTraceLimit;
    const frames = recordedFrames(() => new Service("orders"));
    expect(frames.length).toBeGreaterThan(30);
    expect(frames.filter((count) => count > 1)).toHaveLength(1);
    expect(Error.stackTraceLimit).toBe(limit);
});

test("an error in the constructor of a resource names its place and that of the resource in the program", () => {
    const limit = Error.stackTraceLimit;
    function failingTransformation(): undefined {
        throw new Error("rejected");
    }
    function declareOrders() {
        new Service("orders", {}, { transformations: [failingTransformation] });
    }
    let stack = "";
    try {
        declareOrders();
    } catch (error) {
        stack = (error as Error).stack ?? "";
    }
    expect(stack).toMatch(/^Error: rejected\n +at failingTransformation/);
    expect(stack).toMatch(/at declareOrders/);
    expect(Error.stackTraceLimit).toBe(limit);
});
