import { Service, getServiceLogsOutput } from "../../sdk/nodejs";
import type { Interceptor } from "../../emulator";
import { failed, startStack } from "../support/engine";

// Answers that have no more than the published description of the API requires.

type Fields = Readonly<Record<string, unknown>>;

/** Answers requests of these operations with another body. */
const saying =
    (operations: RegExp, change: (body: Fields) => object): Interceptor =>
    async ({ operationId }, carryOut) => {
        const answer = await carryOut();
        if (answer.status >= 300 || answer.body === "" || !operations.test(operationId)) {
            return answer;
        }
        const body = JSON.parse(answer.body) as Fields | Fields[];
        return { ...answer, body: JSON.stringify(Array.isArray(body) ? body.map(change) : change(body)) };
    };

const services = (resources: readonly object[]) => saying(/Services?$/, (item) => ({ ...item, resources }));

test("a stack can be refreshed and destroyed if errors have no code, and the reason of a rejection is printed with its details", async () => {
    const stack = await startStack({
        intercept: async (_, carryOut) => {
            const answer = await carryOut();
            const { message } = (answer.status >= 400 ? JSON.parse(answer.body) : {}) as { message?: string };
            const body = JSON.stringify({ message, details: "only seen here" });
            return answer.status >= 400 ? { ...answer, body } : answer;
        },
    });
    const program = (replicaCount: number) => () => {
        new Service("kept", { replicaCount });
        new Service("gone");
    };
    await stack.up(program(0));
    const refused = await failed(stack.up(program(3)));
    expect(refused.errors.join("\n")).toMatch(/"kept" \(\w+\) was not updated: 400: .*: only seen here\./);
    const { id } = await stack.state("gone");
    stack.emulator.deleteService(id);
    expect((await stack.refresh()).operations).toMatchObject({ gone: "delete" });
    expect(await stack.entries("kept")).toHaveLength(1);
    await stack.destroy();
    expect(await stack.resources()).toEqual([]);
    expect(stack.emulator.snapshot().services).toEqual([]);
});

test("a service whose spec is empty is a shared one", async () => {
    const stack = await startStack({ intercept: services([{ spec: {} }]) });
    const program = () => new Service("small", { cpuMillis: "shared", memoryGbs: "shared" });
    await stack.up(program);
    expect(stack.calls()).toEqual(["createService"]);
    expect((await stack.state("small")).outputs).toMatchObject({ cpuMillis: "shared", memoryGbs: "shared" });
    expect((await stack.preview(program, { expectNoChanges: true })).operations).toEqual({ small: "same" });
});

test("an answer without the size sends no resize", async () => {
    let isBare = false;
    const bare = services([]);
    const intercept: Interceptor = (request, carryOut) => (isBare ? bare(request, carryOut) : carryOut());
    const stack = await startStack({ intercept });
    const program = () => new Service("orders", { cpuMillis: 500 });
    await stack.up(program);
    stack.calls();
    isBare = true;
    await stack.refresh();
    await stack.up(program);
    isBare = false;
    await stack.up(program);
    expect(stack.calls()).toEqual([]);
    expect((await stack.state("orders")).outputs).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
});

test("an entry of a log can be empty", async () => {
    const entry = { message: "", severity: "LOG", timestamp: "2026-08-01T00:00:00Z" };
    const stack = await startStack({ intercept: saying(/Logs$/, () => ({ logs: [""], entries: [entry] })) });
    const { url, projectId, token } = stack.emulator;
    // A function of an inline program sees only the configuration.
    await stack.setConfig("clouddb:baseUrl", url);
    await stack.setConfig("clouddb:projectId", projectId);
    await stack.setConfig("clouddb:accessToken", token, true);
    await stack.up(() => {
        const { serviceId } = new Service("orders");
        return { entries: getServiceLogsOutput({ serviceId }) };
    });
    expect(await stack.outputs()).toMatchObject({ entries: [entry] });
});
