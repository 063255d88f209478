import { secret } from "@pulumi/pulumi";
import { Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { EngineRun, Program, TestStack } from "../support/engine";

// What only the engine shows: how it prints the errors of each call of a provider. Unit tests have the messages.

const network: Program = () => {
    new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
};
const misspelt: Program = () => {
    new Service("orders", { pasword: secret("canary1234") } as ServiceArgs);
};

/**
 * Errors that a preview reports without the API: of the settings, and of an input. Unit tests have the other messages.
 */
const inPreview: { what: string; program: Program; env?: Record<string, string>; says: string }[] = [
    {
        what: "no base URL",
        program: network,
        env: { CLOUDDB_BASE_URL: "" },
        says: "No base URL: set it with `pulumi config set clouddb:baseUrl URL` or CLOUDDB_BASE_URL, for example https",
    },
    {
        what: "a misspelt property with a secret",
        program: misspelt,
        says: "pasword is not a property of this resource; did you mean password?",
    },
];

/** Errors that only the API can report, in an update. */
const inUpdate: { what: string; env: Record<string, string>; says: string }[] = [
    {
        what: "no token",
        env: { CLOUDDB_ACCESS_TOKEN: "" },
        says: "No access token: run `pulumi config set --secret clouddb:accessToken`, which prompts for it, or set CLOUDDB_ACCESS_TOKEN or CLOUDDB_ACCESS_TOKEN_FILE",
    },
    {
        what: "a host that cannot be reached",
        env: { CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1" },
        says: "got no response from 127.0.0.1:9 (connection refused). If this is the address of the emulator, start it with `npx clouddb-emulator --port 9`",
    },
];

describe("invalid input fails with one readable message", () => {
    let stack: TestStack;
    let usual: Record<string, string>;

    beforeAll(async () => {
        stack = await startStack();
        const { url, token } = stack.emulator;
        usual = {
            CLOUDDB_BASE_URL: url,
            CLOUDDB_ACCESS_TOKEN: token,
        };
    });
    afterAll(removeStacks);

    const expectReadable = ({ output, errors, otherOutput }: EngineRun, says: string) => {
        expect(errors).toEqual([expect.stringContaining(says)]);
        expect(otherOutput).toEqual([]);
        expect(output).not.toMatch(/^ +at /m);
        expect(output).not.toMatch(/canary|undefined|\[object|<nil>/);
    };

    test.each(inPreview)(
        "invalid input fails in the preview with one readable message: $what",
        async ({ program, env, says }) => {
            stack.env({ ...usual, ...env });
            expectReadable(await failed(stack.preview(program)), says);
            expect(stack.emulator.journal()).toEqual([]);
        },
    );

    test.each(inUpdate)(
        "invalid input fails in an update with one readable message, and nothing is created: $what",
        async ({ env, says }) => {
            stack.env({ ...usual, ...env });
            expectReadable(await failed(stack.up(network)), says);
            expect(stack.calls()).toEqual([]);
            expect(stack.emulator.snapshot().vpcs).toEqual([]);
        },
        120_000,
    );

    test("a missing token is reported once for each resource in a refresh and in a deletion", async () => {
        stack.env(usual);
        await stack.up(network);
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        expectReadable(await failed(stack.refresh()), "No access token: run");
        expectReadable(await failed(stack.destroy()), "No access token: run");
    });
});
