import { nameFrom, urnsWithFewerParents } from "../../../provider/inputs/names";

test("urnsWithFewerParents returns the URNs of a resource without some or all of its parents", () => {
    const type = "pulumi-nodejs:dynamic/clouddb:Service";
    const urn = `urn:pulumi:dev::shop::shop:index:Shop$shop:index:Store$${type}::a::b`;
    expect(urnsWithFewerParents(urn)).toEqual([
        `urn:pulumi:dev::shop::${type}::a::b`,
        `urn:pulumi:dev::shop::shop:index:Shop$${type}::a::b`,
    ]);
    expect(urnsWithFewerParents(`urn:pulumi:dev::shop::${type}::orders`)).toEqual([]);
    expect(nameFrom(urn)).not.toBe(nameFrom(urnsWithFewerParents(urn)[0] ?? ""));
});
