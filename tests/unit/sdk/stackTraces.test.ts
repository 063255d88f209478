import * as pulumi from "@pulumi/pulumi";
import { Service } from "../../../sdk/nodejs";

beforeAll(() =>
    pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
        call: () => ({}),
    }),
);

/** The number of frames of each stack trace that is formatted while a function runs. */
function formattedFrames(run: () => unknown): number[] {
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

test("the constructor of a resource formats a stack trace only for its position in the program", () => {
    const limit = Error.stackTraceLimit;
    const frames = formattedFrames(() => new Service("orders"));
    expect(frames).toEqual([expect.any(Number)]);
    expect(frames[0]).toBeGreaterThan(5);
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
