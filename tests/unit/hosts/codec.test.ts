import { decode, decodeState, encode, encodeState, markSecrets } from "../../../provider/hosts/codec";
import { unknown } from "../../../provider/base/fields";
import { lifecycles } from "../../support/lifecycles";

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

describe("the state of a service", () => {
    const { resource } = lifecycles.Service;
    const own = { projectId: "emulator01", password: "long-enough" };
    const common = { declared: ["password"], defaults: { replicaCount: 1 }, imported: "recorded" };
    const [timeouts, unconfirmed] = [{ create: "2h" }, [{ property: "name", value: "orders" }]];
    const record = { ...common, urn: "urn::orders", timeouts, interruption: "creation", unconfirmed };
    const state = { ...own, record: { ...record, uncertain: ["password"] } };
    const flat = {
        ...own,
        ...Object.fromEntries(Object.entries(common).map(([name, value]) => [`__${name}`, value])),
        __urn: "urn::orders",
        __timeouts: timeouts,
        __interrupted: "creation",
        __unconfirmed: unconfirmed,
        __passwordLost: true,
    };

    it("keeps each part of the record, under one key that is secret", () => {
        const stored = encodeState(resource, state as never);
        expect(Object.keys(stored).filter((name) => name.startsWith("__"))).toEqual(["__record"]);
        expect(stored.__record).toEqual(secret(state.record));
        expect(decodeState(resource, { ...stored, __record: state.record, password: "long-enough" })).toEqual(state);
    });

    it("is read as an older version stored it, also if that has kept the record of a newer one", () => {
        expect(decodeState(resource, flat)).toEqual(state);
        const stale = { declared: [], defaults: {}, interruption: "unseen" };
        expect(decodeState(resource, { ...flat, __record: stale })).toEqual(state);
    });

    it("has an empty record if a person has removed it, and the URN of the request", () => {
        const { record } = decodeState(resource, { projectId: "emulator01" }, "urn::new");
        expect(record).toEqual({ declared: [], defaults: {}, urn: "urn::new" });
    });
});
