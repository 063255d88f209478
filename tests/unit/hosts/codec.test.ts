import { decode, encode, markSecrets } from "../../../provider/hosts/codec";
import { unknown } from "../../../provider/inputs/unknown";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});

test("values under a secret name are marked as secrets, each one once", () => {
    const values = { name: "orders", host: "db", fork: { serviceId: "abc" }, password: secret("long-enough") };
    expect(markSecrets(values, ["name", "fork", "password", "absent"])).toEqual({
        name: secret("orders"),
        host: "db",
        fork: secret({ serviceId: "abc" }),
        password: secret("long-enough"),
    });
});

test("an absent or unknown secret is not marked", () => {
    const values = { password: unknownText, name: null };
    expect(markSecrets(values, ["password", "name"])).toEqual(values);
});

test("unknown values are converted in both directions, and nulls are removed", () => {
    const values = { fork: { serviceId: unknown }, addons: [unknown] };
    expect(encode(values)).toEqual({ fork: { serviceId: unknownText }, addons: [unknownText] });
    expect(decode({ ...encode(values), vpcId: null })).toEqual(values);
});
