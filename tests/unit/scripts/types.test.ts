import { evaluate } from "../../support/scripts";

it("two enumerations with one name are refused with the file, the kind and the input of both", async () => {
    const message = await evaluate(`
        const { default: ts } = await import("typescript");
        const { schemaTypes } = await load("generate/types.mjs");
        const { repositoryRoot } = await load("lib/repository.mjs");
        const checker = { getTypeOfSymbol: ({ type }) => type, getNonNullableType: (type) => type };
        const types = schemaTypes({ checker, commentOf: () => "", defaultOf: () => "" }, (name) => name);
        const input = (file, ...values) => ({
            name: "sslMode",
            flags: 0,
            declarations: [{ getSourceFile: () => ({ fileName: repositoryRoot + "/" + file }) }],
            type: {
                isUnion: () => true,
                types: values.map((value) => ({ value, flags: ts.TypeFlags.StringLiteral })),
            },
        });
        types.object([input("provider/resources/database.ts", "require", "disable")], "Service");
        types.object([input("provider/resources/database.ts", "disable", "require")], "ReadReplicaSet");
        try {
            types.object([input("provider/resources/foreignServer.ts", "require")], "ForeignServer", { isInput: true });
        } catch (error) {
            return error.message;
        }
    `);
    expect(message).toBe(
        "Service.sslMode in provider/resources/database.ts and ForeignServer.sslMode in provider/resources/foreignServer.ts " +
            "differ, but both make the type SslMode. Rename one, or give both the same values.",
    );
});
