import { decode, encode } from "../../../provider/hosts/codec";
import { unknown } from "../../../provider/inputs/unknown";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

test("values under a secret name are marked as secrets at every depth", () => {
    const values = {
        name: "orders",
        host: "db",
        fork: { serviceId: "abc" },
        __defaults: { name: "orders" },
        sets: [{ name: "a" }],
    };
    expect(encode(values, new Set(["name", "fork"]))).toEqual({
        name: secret("orders"),
        host: "db",
        fork: secret({ serviceId: "abc" }),
        __defaults: { name: secret("orders") },
        sets: [{ name: secret("a") }],
    });
});

test("an absent or unknown secret is not marked", () => {
    const values = { password: unknown, name: undefined, fork: null };
    expect(encode(values, new Set(["password", "name", "fork"]))).toEqual({ password: unknownText });
});

test("unknown values are converted in both directions, and nulls are removed", () => {
    const values = { fork: { serviceId: unknown }, addons: [unknown] };
    expect(encode(values)).toEqual({ fork: { serviceId: unknownText }, addons: [unknownText] });
    expect(decode({ ...encode(values), vpcId: null })).toEqual(values);
});
