import { getServiceLogsOutput, getServiceOutput, getServices, getVpcsOutput, Service, Vpc } from "../../sdk";
import { failed, removeStacks, startStack } from "../support/engine";

afterAll(removeStacks);

const program = () => {
    const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const orders = new Service("orders", { cpuMillis: 500, memoryGbs: 2 });
    const { serviceId } = orders;
    return {
        status: getServiceOutput({ serviceId }).status,
        cpuMillis: getServiceOutput({ serviceId }).cpuMillis,
        networks: getVpcsOutput({}, { dependsOn: network }).apply((vpcs) => vpcs.map(({ cidr }) => cidr)),
        log: getServiceLogsOutput({ serviceId, search: "ready to accept" }).apply((entries) => entries.length),
    };
};

describe("a program that looks things up", () => {
    test("is previewed without a token as long as nothing of it is known, and sees what was made once it is", async () => {
        const stack = await startStack();
        stack.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1" });
        await stack.preview(program);
        stack.env({ CLOUDDB_ACCESS_TOKEN: stack.emulator.token, CLOUDDB_BASE_URL: stack.emulator.url });

        await stack.up();
        await expect(stack.outputs()).resolves.toEqual({
            status: "READY",
            cpuMillis: 500,
            networks: ["10.0.0.0/21"],
            log: 1,
        });
        expect((await stack.up()).done).toEqual({ network: "same", orders: "same" });
    }, 60_000);

    test("takes its settings from the stack's config, a secret token too, without a warning", async () => {
        const stack = await startStack();
        const { emulator } = stack;
        stack.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_BASE_URL: "", CLOUDDB_PROJECT_ID: "" });
        await stack.setConfig("clouddb:accessToken", emulator.token, true);
        await stack.setConfig("clouddb:baseUrl", emulator.url);
        await stack.setConfig("clouddb:projectId", emulator.projectId);
        const { output } = await stack.up(() => ({ networks: getVpcsOutput() }));
        expect(output).not.toMatch(/warning|getSecret/);
        expect(stack.printed()).not.toContain(emulator.token);
    }, 60_000);

    test("without a token ends in one readable error", async () => {
        const stack = await startStack();
        stack.env({ CLOUDDB_ACCESS_TOKEN: "" });
        const { output } = await failed(stack.preview(() => ({ all: getServices() })));
        expect(output.match(/No access token: set one with/g)?.length).toBeLessThanOrEqual(2);
        expect(output).toContain(
            "No access token: set one with `pulumi config set --secret clouddb:accessToken TOKEN`",
        );
        expect(output).not.toMatch(/unhandled|\bat .*\.(ts|js):\d+/);
    }, 60_000);
});
