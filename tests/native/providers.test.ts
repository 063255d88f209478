import { Provider, Service, Vpc, getAuthInfoOutput, getServicesOutput } from "../../sdk/nodejs/native";
import { removeStacks, startStack } from "../support/engine";

afterAll(removeStacks);

const [first, second] = ["emulator01", "project002"];
const secondToken = "token-of-the-second-project";

test("two explicit providers manage two projects with two tokens in one program", async () => {
    const stack = await startStack({
        projects: [{ id: second, name: "second" }],
        callers: [{ token: secondToken, projects: [second] }],
    });
    // Only the explicit providers have tokens.
    stack.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_PROJECT_ID: "" });
    const program = () => {
        const settings = { baseUrl: stack.emulator.url };
        const here = new Provider("here", { ...settings, projectId: first, accessToken: stack.emulator.token });
        const there = new Provider("there", { ...settings, projectId: second, accessToken: secondToken });
        const orders = new Service("orders", {}, { provider: here });
        const reports = new Service("reports", {}, { provider: there });
        new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" }, { provider: there });
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
    expect((await stack.up(program)).done).toMatchObject({ orders: "same", reports: "same", network: "same" });
    for (const secret of [secondToken, stack.emulator.token]) {
        expect(await stack.exported()).not.toContain(secret);
    }
    await stack.destroy();
});
