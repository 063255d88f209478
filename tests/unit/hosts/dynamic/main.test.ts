import fc from "fast-check";
import { engineAddress } from "../../../../provider/hosts/engine";
import type { Engine } from "../../../../provider/model/engine";

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

it("whatever flags the engine passes, with their values in the same argument or in one of their own, the address is the last one", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.oneof(
        word,
        fc.integer({ min: 0, max: 11 }).map(String),
        fc.constantFrom(
            "tcp://127.0.0.1:4712",
            "http://[::1]:9411/api/v1/spans",
            "file:/tmp/a trace.json",
            "127.0.0.1:4713",
        ),
    );
    const name = fc.tuple(fc.constantFrom("-", "--"), fc.oneof(word, fc.constant("v"))).map((parts) => parts.join(""));
    const flag = fc.oneof(
        name.map((one) => [one]),
        fc.tuple(name, value).map(([one, text]) => [`${one}=${text}`]),
        fc.tuple(name, value),
    );
    const addresses = fc.constantFrom(address, "[::1]:4711", "localhost:4711");
    fc.assert(
        fc.property(fc.array(flag), addresses, (flags, expected) => {
            expect(engineAddress(["node", "index.js", ...flags.flat(), expected])).toBe(expected);
        }),
        { seed: 1 },
    );
});
