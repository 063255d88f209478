import { ComponentResource } from "@pulumi/pulumi";
import * as dynamic from "../../sdk/nodejs/index";
import { Provider, Service, Vpc, getAuthInfoOutput, getServicesOutput } from "../../sdk/nodejs/native";
import type { ServiceArgs } from "../../sdk/nodejs/native";
import { failed, startFastEmulator, startStack, type TestStack } from "../support/engine";

const [first, second] = ["emulator01", "project002"];
const secondToken = "token-of-the-second-project";

test("explicit providers manage projects with different tokens and addresses in one program", async () => {
    const elsewhere = await startFastEmulator({ token: "token-of-the-other-address", projectId: second });
    const stack = await startStack({
        projects: [{ id: second, name: "second" }],
        callers: [{ token: secondToken, projects: [second] }],
    });
    // Only the explicit providers have tokens, one of them from another environment variable.
    stack.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_PROJECT_ID: "", SECOND_TOKEN: secondToken });
    const envVarMappings = { SECOND_TOKEN: "CLOUDDB_ACCESS_TOKEN" };
    const program = () => {
        const settings = { baseUrl: stack.emulator.url, deletionProtection: false };
        const here = new Provider("here", { ...settings, projectId: first, accessToken: stack.emulator.token });
        const there = new Provider("there", { ...settings, projectId: second }, { envVarMappings });
        const orders = new Service("orders", {}, { provider: here });
        const reports = new Service("reports", {}, { provider: there });
        const { url: baseUrl, token: accessToken } = elsewhere;
        const far = new Provider("far", { baseUrl, accessToken, projectId: second });
        new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" }, { provider: far });
        return {
            projects: [orders.projectId, reports.projectId],
            caller: getAuthInfoOutput({ provider: there }).apply(({ apiKey }) => apiKey?.project?.id),
            services: getServicesOutput({ projectId: reports.projectId }, { provider: there }).apply(
                (found) => found.length,
            ),
        };
    };

    await stack.preview(program);
    await stack.up(program);

    expect(await stack.outputs()).toEqual({ projects: [first, second], caller: second, services: 1 });
    const paths = stack.emulator
        .snapshot()
        .services.map(({ project_id: id, name }) => [id, name.slice(0, 6)])
        .sort();
    expect(paths).toEqual([
        [first, "orders"],
        [second, "report"],
    ]);
    expect(elsewhere.snapshot()).toMatchObject({ vpcs: [{ project_id: second }], services: [] });
    const { operations } = await stack.up(program, { expectNoChanges: true });
    expect(operations).toEqual({ orders: "same", reports: "same", network: "same" });
    await stack.destroy();
    expect([...stack.emulator.snapshot().services, ...elsewhere.snapshot().vpcs]).toEqual([]);
    const stored = stack.files().join("\n");
    for (const secret of [secondToken, stack.emulator.token, elsewhere.token]) {
        expect(stored).not.toContain(secret);
    }
});

describe("the settings of a provider", () => {
    const tokens = ["first-token", "second-token"] as const;
    let stack: TestStack;

    const program =
        (accessToken: string, address = stack.emulator.url, args: ServiceArgs = {}) =>
        () => {
            const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
            // Known after the network has been created.
            const baseUrl = network.vpcId.apply(() => address);
            const provider = new Provider("own", { baseUrl, accessToken, projectId: first });
            new Service("orders", { deletionProtection: true, ...args }, { provider, protect: false });
        };

    beforeAll(async () => {
        stack = await startStack({ callers: tokens.map((token) => ({ token, projects: [first] })) });
    });

    test("a preview works while a setting is not known yet", async () => {
        const { operations, errors } = await stack.preview(program(tokens[0]));
        expect({ operations, errors }).toEqual({ operations: { network: "create", orders: "create" }, errors: [] });
        expect((await stack.up()).operations).toEqual(operations);
        expect(stack.calls().sort()).toEqual(["createService", "createVpc"]);
    });

    test("a new token and a new address replace no resource", async () => {
        const { operations } = await stack.up(program(tokens[1], `${stack.emulator.url}/`));
        expect(operations).toEqual({ network: "same", orders: "same" });
        expect(stack.calls()).toEqual([]);
    });

    test("a wrong token fails with one error that names the setting, and a retry with a valid token succeeds", async () => {
        const change: ServiceArgs = { environment: "PROD" };
        const { errors } = await failed(stack.up(program("wrong-token", stack.emulator.url, change)));
        expect(errors).toEqual([expect.stringContaining('"own"')]);
        stack.calls();
        const { operations } = await stack.up(program(tokens[0], stack.emulator.url, change));
        expect(operations).toEqual({ network: "same", orders: "update" });
        expect(stack.calls()).toEqual(["setEnvironment"]);
    });

    test("no file of the stack contains a token in plain text, not even the token of the environment", () => {
        const stored = stack.files().join("\n");
        for (const token of [...tokens, "wrong-token", stack.emulator.token]) {
            expect(stored).not.toContain(token);
        }
    });
});

test("a protected service that an explicit provider imports is not deleted by the process that had it before", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    const { url: baseUrl, token: accessToken, projectId } = stack.emulator;
    const unprotected = { protect: false };
    await stack.up(() => {
        new Service("orders", { name: "orders" }, unprotected);
        new Service("bills", { name: "bills" }, unprotected);
    });
    const [orders, bills] = [await stack.state("orders"), await stack.state("bills")];
    const own = () => ({ ...unprotected, provider: new Provider("own", { baseUrl, accessToken, projectId }) });
    const moved = () => {
        const { provider } = own();
        new Service("orders-2", { name: "orders" }, { ...unprotected, provider, import: orders.id });
        new Service("bills-2", { name: "bills" }, { ...unprotected, provider, import: bills.id });
    };
    stack.calls();
    expect((await failed(stack.up(moved, { continueOnError: true }))).errors).toHaveLength(2);
    await stack.pulumi("state", "delete", "--force", orders.urn, bills.urn, "--yes");
    await stack.up(moved, { expectNoChanges: true });
    expect(stack.calls()).toEqual([]);
    expect((await stack.state("orders-2")).id).toBe(orders.id);
});

test("a class of the dynamic provider refuses a provider of the plugin, and names the project that it uses if a parent has one", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:projectId", first);
    const { messages } = await stack.preview(() => {
        const providers = [new Provider("theirs", { projectId: second, accessToken: secondToken })];
        const refused = () => new dynamic.ProductionDatabase("main", { cpuMillis: 500 }, { providers });
        expect(refused).toThrow('import { ProductionDatabase } from "pulumi-clouddb/native"');
        const parent = new ComponentResource("test:index:Group", "group", {}, { providers });
        new dynamic.Service("orders", {}, { parent });
    });
    expect(messages.orders?.join("\n")).toContain(`it is in project "${first}".`);
    expect(stack.calls()).toEqual([]);
});
