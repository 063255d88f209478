import { secret } from "@pulumi/pulumi";
import { Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type EngineRun, type Program, type TestStack } from "../support/engine";

// What only the engine shows: how it prints the errors of each call of a provider. Unit tests have the messages.

const network: Program = () => {
    new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
};
const misspelt: Program = () => {
    new Service("orders", { pasword: secret("canary1234") } as ServiceArgs);
};

describe("invalid input fails with one readable message", () => {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack();
    });
    const expectReadable = ({ output, errors, otherOutput }: EngineRun, says: string) => {
        expect(errors).toEqual([expect.stringContaining(says)]);
        expect(otherOutput).toEqual([]);
        expect(output).not.toMatch(/^ +at /m);
        expect(output).not.toMatch(/canary|undefined|\[object|<nil>/);
    };

    test("a misspelt property with a secret and a missing address fail in the preview with one readable message", async () => {
        const unknown = "pasword is not a property of this resource; did you mean password?";
        expectReadable(await failed(stack.preview(misspelt)), unknown);
        const missing =
            "No base URL is set.\nSet it: `pulumi config set clouddb:baseUrl URL`, or CLOUDDB_BASE_URL, for example https";
        stack.env({ CLOUDDB_BASE_URL: "" });
        expectReadable(await failed(stack.preview(network)), missing);
        stack.env({ CLOUDDB_BASE_URL: stack.emulator.url });
        expect(stack.emulator.journal()).toEqual([]);
    });

    test("a missing token is reported once for each resource in a creation, a refresh and a deletion", async () => {
        const says = "\nSet it: `pulumi config set --secret clouddb:accessToken`, which asks for it";
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        expectReadable(await failed(stack.up(network)), says);
        expect(stack.emulator.snapshot().vpcs).toEqual([]);
        stack.env({ CLOUDDB_ACCESS_TOKEN: stack.emulator.token });
        await stack.up(network);
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        expectReadable(await failed(stack.refresh()), says);
        expectReadable(await failed(stack.destroy()), says);
    });
});
