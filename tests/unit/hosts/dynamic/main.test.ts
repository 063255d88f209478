import type { Engine } from "../../../../provider/lifecycle/session";

const address = "127.0.0.1:4711";

afterEach(() => jest.restoreAllMocks());

/** The engine that the process of the dynamic provider uses with these arguments. */
function engineWith(args: readonly string[]): Engine {
    jest.replaceProperty(process, "argv", ["node", "index.js", ...args]);
    let engine: unknown;
    jest.isolateModules(() => {
        jest.doMock("../../../../provider/hosts/dynamic/providers", () => ({ providersFor: (of: Engine) => of }));
        engine = jest.requireActual("../../../../provider/hosts/dynamic/main");
    });
    return engine as Engine;
}

it.each([
    [[address], address],
    [["-logtostderr", "-v=9", address], address],
    [["-tracing", "tcp://127.0.0.1:4712", address], address],
    [["-logtostderr", "-v=3", "-tracing", "http://127.0.0.1:9411/api/v1/spans", address], address],
    [[], undefined],
])("of the arguments %j, the provider takes %j for the engine", (args, expected) => {
    expect(engineWith(args).address).toBe(expected);
});
