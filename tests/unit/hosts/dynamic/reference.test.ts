import { providerReference } from "../../../../provider/hosts/dynamic/reference";

test("the reference to a provider is the text that each stack already has in its state", () => {
    expect(providerReference("Service")).toBe('exports.handler=()=>require("pulumi-clouddb/provider").Service');
});
