import { runtime, type Output } from "@pulumi/pulumi";

interface MockedEngine {
    readonly idOf?: (name: string) => string | undefined;
    /** By default, the inputs. */
    readonly stateOf?: (name: string, inputs: object) => object;
    readonly call?: (args: runtime.MockCallArgs) => object;
    readonly preview?: boolean;
    readonly project?: string;
}

/** Replaces the engine. The id of a resource is its name, and its state has its inputs, apart from what these parts change. */
export function mockEngine({
    idOf = (name) => name,
    stateOf = (_, inputs) => inputs,
    call = () => ({}),
    preview = false,
    project = "project",
}: MockedEngine = {}): Promise<void> {
    const newResource = ({ name, inputs }: runtime.MockResourceArgs) => ({
        id: idOf(name),
        state: stateOf(name, inputs as object),
    });
    return runtime.setMocks({ newResource, call }, project, "stack", preview);
}

/** Resources with endpoints. */
export const withEndpoint = (_: string, inputs: object) => ({ host: "h", port: 1, ...inputs });

/** The value of an output. */
export function valueIn<T>(output: Output<T>): Promise<T> {
    return (output as unknown as { promise: () => Promise<T> }).promise();
}
