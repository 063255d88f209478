import { info, warning } from "../../../provider/base/message";
import { print } from "../../../provider/model/engine";
import { connectEngine } from "../../../provider/hosts/engine";

test("permanent lines begin with an empty one, which Pulumi repeats in the row, and warnings do not", () => {
    const engine = { ...connectEngine(undefined), info: jest.fn(), warn: jest.fn() };
    print(engine, "urn", [info(["one", "two"]), info("three"), warning("four")]);
    expect(engine.info.mock.calls).toEqual([
        ["urn", ["", "one", "two"]],
        ["urn", ["", "three"]],
    ]);
    expect(engine.warn.mock.calls).toEqual([["urn", "four"]]);
});
