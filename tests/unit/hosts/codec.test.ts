import { decode, encode, encodeOutputs } from "../../../provider/hosts/codec";
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

describe("an output that contains the text of a secret input", () => {
    const encoded = (outputs: object, secrets: string[]) => encodeOutputs(outputs, [], new Set(secrets));

    test("it is secret, also within an object or a list, and the rest is not", () => {
        const outputs = {
            projectId: "project01",
            host: "s1.project01.example.com",
            forkedFrom: { serviceId: "abc", projectId: "other" },
            addresses: ["x.project01", "y"],
            port: 5432,
            status: "READY",
        };
        expect(encoded(outputs, ["projectId"])).toEqual({
            projectId: secret("project01"),
            host: secret("s1.project01.example.com"),
            forkedFrom: { serviceId: "abc", projectId: secret("other") },
            addresses: [secret("x.project01"), "y"],
            port: 5432,
            status: "READY",
        });
    });

    test("the parent of a fork is secret if the source of the fork is", () => {
        const outputs = {
            fork: { serviceId: "abc", strategy: "NOW" },
            forkedFrom: { serviceId: "abc", projectId: "p" },
        };
        expect(encoded(outputs, ["fork"])).toEqual({
            fork: secret(outputs.fork),
            forkedFrom: { serviceId: secret("abc"), projectId: "p" },
        });
    });

    test("a hidden property stays plain, because the host reads it", () => {
        expect(encoded({ name: "orders", __urn: "urn::orders" }, ["name"])).toEqual({
            name: secret("orders"),
            __urn: "urn::orders",
        });
    });
});
