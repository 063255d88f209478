import { readdirSync } from "node:fs";
import { join } from "node:path";
import { decode, decodeState, encode, encodeState, markSecrets } from "../../../provider/hosts/codec";
import { computed } from "../../../provider/base/fields";
import { latestOf, migrations, type OlderState } from "../../../provider/hosts/migrations";
import { lifecycles } from "../../support/lifecycles";
import { properties, returned } from "../../support/properties";

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
    const values = { fork: { serviceId: computed }, addons: [computed] };
    expect(encode(values)).toEqual({ fork: { serviceId: unknownText }, addons: [unknownText] });
    expect(decode({ ...encode(values), vpcId: null })).toEqual(values);
    expect(decode(encode({ memoryGbs: NaN }))).toEqual({ memoryGbs: NaN });
});

describe("the state of a service", () => {
    const { resource } = lifecycles.Service;
    const own = { projectId: "emulator01", password: "long-enough" };
    const common = { declared: ["password"], defaults: { replicaCount: 1 }, imported: true };
    const [timeouts, unconfirmed] = [{ create: "2h" }, [{ property: "name", value: "orders" }]];
    const record = { ...common, urn: "urn::orders", timeouts, interruption: "creation", unconfirmed };
    const state = { ...own, record: { ...record, uncertain: ["password"] } };
    /** As the engine passes it to the provider. */
    const inState = () => returned(encodeState(resource, state as never), properties({})).values;
    it("keeps each part of the record, under one key that is secret", () => {
        const stored = encodeState(resource, state as never);
        expect(Object.keys(stored).filter((name) => name.startsWith("__"))).toEqual(["__record"]);
        expect(stored.__record).toEqual(secret({ version: 1, ...state.record }));
    });

    it("has a number that no run sees", () => {
        expect(decodeState(resource, inState())).toEqual(state);
        expect(decodeState(resource, inState(), "urn::new").record).toMatchObject({ urn: "urn::new" });
    });

    it.each([undefined, "1"])("cannot be read if the number is %j, or if its record is lost", (version) => {
        for (const one of [{ ...inState(), __record: { ...record, version } }, own]) {
            expect(() => decodeState(resource, one, "urn::orders")).toThrow(
                /^The entry of a service \("orders"\) in the state has lost its record: import it again\.$/m,
            );
        }
    });

    it("of a later version cannot be read, and the error has both numbers", () => {
        const later = { ...inState(), __record: { ...record, version: 3 } };
        const migrations = [(older: OlderState) => older];
        expect(() => decodeState(resource, later, "urn::orders")).toThrow(
            "has number 3, and this version of the package reads numbers up to 1.",
        );
        expect(() => decodeState(resource, later, "urn::orders", migrations)).toThrow("up to 2.");
    });

    it("of an older version is migrated from each number to the next", () => {
        const rename =
            (from: string, to: string) =>
            ({ values: { [from]: value, ...values }, record }: OlderState) => ({
                values: { ...values, [to]: value },
                record: { ...record, [to]: true },
            });
        const migrations = [rename("oldPassword", "secret"), rename("secret", "password")];
        const { password, ...others } = inState();
        const first = { ...others, oldPassword: password, __record: { ...state.record, version: 1 } };
        const second = { ...others, secret: password, __record: { ...state.record, version: 2 } };
        expect(decodeState(resource, first, undefined, migrations)).toEqual({
            ...own,
            record: { ...state.record, secret: true, password: true },
        });
        expect(decodeState(resource, second, undefined, migrations)).toEqual({
            ...own,
            record: { ...state.record, password: true },
        });
    });
});

test("there are recorded states with each number, on both hosts", () => {
    const numbers = Array.from({ length: latestOf(migrations) }, (_, index) => index + 1);
    const expected = numbers.flatMap((number) => [`state-${number}-dynamic`, `state-${number}-native`]);
    expect(readdirSync(join(__dirname, "../../engine/upgrade")).filter((name) => name.startsWith("state-"))).toEqual(
        expected,
    );
});
