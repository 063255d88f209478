import * as pulumi from "@pulumi/pulumi";
import { Service } from "../../../sdk/nodejs";

beforeAll(() =>
    pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
        call: () => ({}),
    }),
);

/** The number of frames in each stack trace that is formatted while a function runs. */
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
    const frames = formattedFrames(() => new Service("orders"));
    expect(frames).toEqual([expect.any(Number)]);
    expect(frames[0]).toBeGreaterThan(5);
});

test("stack traces that the program records while a resource is constructed are complete", () => {
    const traces: (string | undefined)[] = [];
    function recordingTransformation(): undefined {
        traces.push(new Error().stack, new Error("noted").stack);
    }
    function declareOrders() {
        new Service("orders", {}, { transformations: [recordingTransformation] });
    }
    declareOrders();
    const trace = /at recordingTransformation[^]*at declareOrders/;
    expect(traces).toEqual([expect.stringMatching(trace), expect.stringMatching(trace)]);
});

test("an error in the constructor of a resource has the stack trace of the program", () => {
    function failingTransformation(): undefined {
        throw new Error("rejected");
    }
    function declareOrders() {
        new Service("orders", {}, { transformations: [failingTransformation] });
    }
    const format: unknown = Reflect.get(Error, "prepareStackTrace");
    let trace = "";
    try {
        declareOrders();
    } catch (error) {
        trace = (error as Error).stack ?? "";
    }
    expect(trace).toMatch(/at failingTransformation[^]*at declareOrders/);
    expect(Reflect.get(Error, "prepareStackTrace")).toBe(format);
});
