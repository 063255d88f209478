import { Service } from "../../sdk";
import { removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

const token = "canary-token-8d1f";
const passwords = ["canary-password-1", "canary-password-2"];

describe("secrets", () => {
    let stack: TestStack;
    let initialPassword: string;

    const program = (password: string | undefined) => () => {
        const orders = new Service("orders", {
            replicaCount: 1,
            connectionPooler: true,
            addons: ["time-series", "ai"],
            regionCode: "us-east-1",
            cpuMillis: 1000,
            memoryGbs: 4,
            environment: "PROD",
            deletionProtection: false,
            ...(password === undefined ? {} : { password }),
        });
        const { connectionString } = orders;
        return { initialPassword: orders.initialPassword, connectionString };
    };

    beforeAll(async () => {
        stack = await startStack({ token });
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        await stack.setConfig("clouddb:accessToken", token, true);
        await stack.preview(program(passwords[0]));
        await stack.up();
        ({ initialPassword } = (await stack.outputs()) as { initialPassword: string });
        await stack.up(program(passwords[1]));
        await stack.refresh();
        await stack.preview(program(undefined));
    }, 60_000);
    afterAll(removeStacks);

    const expectNoSecret = (text: string) => {
        for (const secret of [token, ...passwords, initialPassword]) expect(text).not.toContain(secret);
    };

    test("the program gets the first password and one that works in the connection string", async () => {
        const { connectionString } = (await stack.outputs()) as { connectionString: string };
        const { service_id: id = "" } = stack.emulator.snapshot().services[0] ?? {};

        expect(initialPassword).toMatch(/^\S{16,}$/);
        expect(new URL(connectionString).password).toBe(passwords[1]);
        expect(stack.emulator.passwordMatches(id, new URL(connectionString).password)).toBe(true);
    });

    test("none is in an export of the state", async () => {
        expectNoSecret(await stack.exported());
    });

    test("none is in any file that Pulumi keeps", () => {
        expect(stack.files().length).toBeGreaterThan(3);
        stack.files().forEach(expectNoSecret);
    });

    test("none was printed", () => {
        expect(stack.printed()).toContain("set the password");
        expectNoSecret(stack.printed());
    });

    test("none is in the emulator's journal", () => {
        const journal = JSON.stringify(stack.emulator.journal());
        expect(journal).toContain("updatePassword");
        expectNoSecret(journal);
    });

    test("what finds the provider takes 256 bytes at most, is the same everywhere, and a service 4 KB", async () => {
        const state = await stack.state("orders");

        expect(state.inputs.__provider).toBe('exports.handler=()=>require("pulumi-clouddb/provider").Service');
        expect(state.outputs.__provider).toBe(state.inputs.__provider);
        expect(JSON.stringify(state).length).toBeLessThanOrEqual(4096);
    });
});
