import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { pack, unpack } from "../../../../provider/hosts/native/values";
import { computed } from "../../../../provider/base/fields";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (rest: object) => ({ [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...rest });
const resource = (rest: object) => ({ [signature]: "5cf8f73096256a8f31e491e813e4eb8e", ...rest });
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";

const unpacked = (values: object) => unpack(Struct.fromJavaScript(values as never));

test.each([
    ["a plain value", { name: "orders" }, { name: "orders" }, []],
    ["a secret", { name: secret("orders") }, { name: "orders" }, ["name"]],
    ["a secret within a value", { fork: { serviceId: secret("a") } }, { fork: { serviceId: "a" } }, ["fork"]],
    ["a secret in a list", { addons: [secret("ai")] }, { addons: ["ai"] }, ["addons"]],
    ["a secret in a secret", { fork: secret({ serviceId: secret("a") }) }, { fork: { serviceId: "a" } }, ["fork"]],
    ["an unknown value", { name: unknownText }, { name: computed }, []],
    ["an unknown number", { cpuMillis: unknownNumber }, { cpuMillis: computed }, []],
    ["an unknown secret", { password: secret(unknownText) }, { password: computed }, ["password"]],
    ["an unknown value in a list", { addons: ["ai", unknownText] }, { addons: ["ai", computed] }, []],
    ["a known output", { name: output({ value: "orders" }) }, { name: "orders" }, []],
    ["an unknown output", { name: output({}) }, { name: computed }, []],
    ["a secret output", { name: output({ value: "orders", secret: true }) }, { name: "orders" }, ["name"]],
    ["a resource, as its id", { serviceId: resource({ urn: "urn:x", id: "a1" }) }, { serviceId: "a1" }, []],
    ["nulls, which it removes", { name: null, fork: { targetTime: null } }, { fork: {} }, []],
])("unpack reads %s", (_, packed, values, secrets) => {
    expect(unpacked(packed)).toMatchObject({ values, secrets });
});

test("unpack reads a missing message as no properties", () => {
    expect(unpack(undefined)).toEqual({ values: {}, stored: {}, secrets: [] });
});

test("pack keeps the marks of secrets", () => {
    const encoded = { name: secret("orders"), fork: { serviceId: secret("a") }, addons: [secret("ai")], host: null };
    expect(pack(encoded).toJavaScript()).toEqual(encoded);
});

test("what is stored keeps a null, which says that the state has no value", () => {
    expect(unpacked({ vpcId: null, name: "orders" }).stored).toEqual({ vpcId: null, name: "orders" });
});
