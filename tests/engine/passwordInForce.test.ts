import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Interceptor } from "../../emulator";
import { ProductionDatabase, ReadReplicaSet, Service } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";
import { describeWithPostgres } from "../support/postgres";

// After a successful run, each connection string of the stack works: what only a login shows.

interface Passwords {
    /** The declared password. Without one, the API generates it. */
    readonly password?: string;
    readonly version?: number;
}

/** Databases whose password is declared, in a variable, and declared in a component. */
const program =
    ({ password, version = 1 }: Passwords) =>
    () => {
        const declared = password === undefined ? {} : { password };
        const one = new Service("declared", declared);
        const outside = new Service("outside", { passwordVariable: "OUTSIDE_PASSWORD", passwordVersion: version });
        const component = new ProductionDatabase("component", { cpuMillis: 500, replicaCount: 0, ...declared });
        const reports = new ReadReplicaSet("reports", {
            serviceId: one.serviceId,
            cpuMillis: 500,
            password: one.currentPassword,
        });
        return {
            declared: one.connectionString,
            outside: outside.connectionString,
            component: component.service.connectionString,
            reports: reports.connectionString,
        };
    };

/** Logs in with each connection string, and with the password of the variable where the state has none. */
async function logIn(stack: TestStack, outside: string): Promise<void> {
    const { emulator } = stack;
    for (const [name, url] of Object.entries(await stack.outputs())) {
        const { hostname, port, password } = new URL(String(url));
        const client = new Client({
            host: hostname,
            port: Number(port),
            user: "tsdbadmin",
            database: "tsdb",
            password: name === "outside" ? outside : decodeURIComponent(password),
            ssl: { ca: emulator.certificate?.pem ?? "" },
        });
        await client.connect().catch((error: unknown) => {
            throw new Error(`The login to ${name} failed: ${String(error)}`);
        });
        await client.end();
    }
}

/** Carries out the first call of an operation for each service, whose response a proxy replaces, and rejects the others. */
function losing(operation: string): Interceptor {
    const lost = new Set<string>();
    return async ({ operationId, request }, carryOut) => {
        if (operationId !== operation) {
            return carryOut();
        }
        if (lost.has(request.path)) {
            return { status: 400, headers: {}, body: '{"code":"NO","message":"not today"}' };
        }
        lost.add(request.path);
        await carryOut();
        return { status: 502, headers: {}, body: "<html>bad gateway</html>" };
    };
}

/** Carries out each call of an operation, whose response comes after the end of a cancelled run. */
const delaying =
    (operation: string): Interceptor =>
    async ({ operationId }, carryOut) => {
        const response = await carryOut();
        await sleep(operationId === operation ? 10_000 : 0, undefined, { ref: false });
        return response;
    };

/** Carries out each creation, whose response a proxy replaces. */
const losingCreations: Interceptor = async ({ operationId }, carryOut) => {
    const response = await carryOut();
    return operationId === "createService" ? { status: 502, headers: {}, body: "<html>bad gateway</html>" } : response;
};

/** Presses Ctrl-C some time after the API has received this number of calls of an operation. */
async function cancelAfter(stack: TestStack, operation: string, count: number, next: () => unknown, laterMs = 0) {
    stack.emulator.clearJournal();
    const keys = new AbortController();
    const run = failed(stack.up(next, { signal: keys.signal }));
    const calls = () => stack.emulator.journal().filter(({ operationId }) => operationId === operation).length;
    while (calls() < count) {
        await sleep(20);
    }
    await sleep(laterMs);
    keys.abort();
    await run;
}

describeWithPostgres("after a run that did not learn which password is in force, the next one sets it", () => {
    const first: Passwords = { password: "the-first-password", version: 1 };
    const second: Passwords = { password: "the-second-password", version: 2 };
    const variable = { first: "outside-first-password", second: "outside-second-password" };
    let stack: TestStack;
    let fault: Interceptor | undefined;

    beforeAll(async () => {
        stack = await startStack({
            postgres: true,
            intercept: (exchange, carryOut) => fault?.(exchange, carryOut) ?? carryOut(),
            durations: { create: 200_000 },
        });
        // The provider has found what it created before the run is cancelled.
        stack.env({ CLOUDDB_LIST_LAG_MS: "300", OUTSIDE_PASSWORD: variable.first });
    });

    /** The program is run until it succeeds, then its passwords are in force and the next preview is empty. */
    async function complete(next: () => unknown): Promise<void> {
        fault = undefined;
        stack.env({ OUTSIDE_PASSWORD: variable.first });
        await stack.up(next);
        await logIn(stack, variable.first);
        await stack.preview(next, { expectNoChanges: true });
    }

    test("the answers to creations are lost, and the run ends before the services are ready", async () => {
        fault = losingCreations;
        await cancelAfter(stack, "createService", 3, program({}), 1_500);
        expect(stack.emulator.snapshot().services).toHaveLength(3);
        await complete(program({}));
        await complete(program(first));
    });

    test("the answers to new passwords are lost, the run fails, and the program is reverted", async () => {
        fault = losing("updatePassword");
        stack.env({ OUTSIDE_PASSWORD: variable.second });
        await failed(stack.up(program(second)));
        await complete(program(first));
    });

    test("the run is cancelled while new passwords are set, and the program is reverted", async () => {
        fault = delaying("updatePassword");
        stack.env({ OUTSIDE_PASSWORD: variable.second });
        await cancelAfter(stack, "updatePassword", 3, program(second));
        await complete(program(first));
    });
});
