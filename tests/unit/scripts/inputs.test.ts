import { evaluate } from "../../support/scripts";

it("a list of values that an example describes reads like a list", async () => {
    const seen = await evaluate(`
        const { acceptedBy } = await load("docs/inputs.mjs");
        const network = () => "is not a network; use for example 10.0.0.0/16";
        const networks = (value) => (Array.isArray(value) ? network(value[0]) : "is null; use an array");
        return [network, networks].map(acceptedBy);
    `);
    expect(seen).toEqual(["such as 10.0.0.0/16", "list of texts such as 10.0.0.0/16"]);
});
