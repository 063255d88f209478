import fc from "fast-check";
import { autoName } from "../../../provider/base/names";

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::${name}`;

it("a generated name is readable, and the same for the same URN", () => {
    expect(autoName(urn("Orders DB"))).toMatch(/^orders-db-[0-9a-f]{7}$/);
    expect(autoName(urn("orders"))).toBe(autoName(urn("orders")));
    expect(autoName(urn("orders"))).not.toBe(autoName(urn("orders").replace("dev", "prod")));
});

it("a generated name is within the limits of the API for any name of the resource", () => {
    fc.assert(
        fc.property(fc.string({ unit: "grapheme" }), (name) => {
            expect(autoName(urn(name))).toMatch(/^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/);
        }),
    );
});
