import { evaluate } from "../../support/scripts";

test("the client checks an integer of a response as a number", async () => {
    const properties = { hour: { type: "integer" }, day: { type: "string" } };
    const call = `shapeOf(${JSON.stringify({ type: "object", required: ["hour"], properties })})`;
    expect(await evaluate(`return (await load("generate.mjs")).${call};`)).toEqual({
        fields: { hour: "number", "day?": "string" },
    });
});

test("a kind without an example is an error that names the file to write", async () => {
    const message = await evaluate(`
        const { withExample } = await load("generate/schema.mjs");
        try { withExample("", "NoSuchKind"); } catch (error) { return error.message; }`);
    expect(message).toMatch(/^NoSuchKind has no example: write sdk\/examples\/NoSuchKind\.md/);
});
