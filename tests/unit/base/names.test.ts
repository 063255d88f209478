import fc from "fast-check";
import { nameFrom } from "../../../provider/base/names";

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::${name}`;

it("a generated name is readable, and the same for the same URN", () => {
    expect(nameFrom(urn("Orders DB"))).toMatch(/^orders-db-[0-9a-f]{7}$/);
    expect(nameFrom(urn("orders"))).toBe(nameFrom(urn("orders")));
    expect(nameFrom(urn("orders"))).not.toBe(nameFrom(urn("orders").replace("dev", "prod")));
});

it("a generated name is within the limits of the API for any name of the resource", () => {
    fc.assert(
        fc.property(fc.string({ unit: "grapheme" }), (name) => {
            expect(nameFrom(urn(name))).toMatch(/^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/);
        }),
    );
});
