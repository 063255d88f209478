import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Interceptor } from "../../emulator";
import { ReadReplicaSet, Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";
import { newFolder } from "../support/folder";
import { kill, processesBelow } from "../support/processes";

// What only the engine shows: what it writes into files and prints, and what remains of a killed run.

const folder = newFolder();
const passwordFile = join(folder, "orders.txt");
const planFile = join(folder, "plan.json");
const passwordVariable = "ORDERS_PASSWORD";

/** Kills the engine and the provider of this test. */
const killRun = async () => kill(await processesBelow());

test("a password outside of the state is in no file, output or log, after success, failures and kills", async () => {
    const initial: string[] = [];
    const passwords = ["canary-in-file-1", "canary-in-file-2", "canary-in-variable"] as const;
    let onResponse: ((operationId: string | undefined) => Promise<void>) | undefined;
    const intercept: Interceptor = async ({ operationId }, carryOut) => {
        const response = await carryOut();
        const made = /"initial_password":"([^"]+)"/.exec(response.body)?.[1];
        initial.push(...(made === undefined ? [] : [made]));
        await onResponse?.(operationId);
        return response;
    };
    const stack = await startStack({ intercept });
    const program = (args: ServiceArgs) => () => {
        const orders = new Service("orders", { sslMode: "verify-full", ...args });
        const { currentPassword: password, serviceId } = orders;
        const reports = new ReadReplicaSet("reports", { serviceId, cpuMillis: 500, password });
        return {
            all: [orders.connectionString, reports.connectionString],
            login: [orders.username, reports.databaseName],
            passwordsInState: [orders.initialPassword, password].map((one) => one.apply((known) => known ?? "none")),
        };
    };
    const isSet = (password: string) => {
        const [{ service_id: id } = { service_id: "" }] = stack.emulator.snapshot().services;
        return stack.emulator.passwordMatches(id, password);
    };
    const first = program({ passwordFile, passwordVersion: 1 });
    await stack.preview(first, { plan: planFile });
    writeFileSync(passwordFile, passwords[0]);
    onResponse = (operationId) => (operationId === "createService" ? killRun() : Promise.resolve());
    await failed(stack.up(first));
    onResponse = undefined;
    await stack.pulumi("cancel", "--yes");
    const [killed] = stack.emulator.snapshot().services;
    stack.emulator.addFaults([{ operation: "updatePassword", times: 1, effect: { kind: "answer", status: 400 } }]);
    await failed(stack.up(program({ passwordFile, passwordVersion: 1, existingId: killed?.service_id ?? "" })));
    const kept = [await stack.exported()];
    stack.emulator.addFaults([{ operation: "updatePassword", times: 1, effect: { kind: "reset", when: "after" } }]);
    await stack.up(first);
    expect(isSet(passwords[0])).toBe(true);

    writeFileSync(passwordFile, passwords[1]);
    const second = program({ passwordFile, passwordVersion: 2 });
    onResponse = (operationId) => (operationId === "updatePassword" ? killRun() : Promise.resolve());
    await failed(stack.up(second));
    onResponse = undefined;
    await stack.pulumi("cancel", "--yes");
    kept.push(await stack.exported());
    await stack.up(second);
    expect(isSet(passwords[1])).toBe(true);

    await stack.up(program({ password: "in-the-state" }));
    expect(isSet("in-the-state")).toBe(true);
    stack.calls();
    const third = program({ passwordVariable, passwordVersion: 3 });
    stack.env({ [passwordVariable]: passwords[2] });
    await stack.up(third);
    expect(stack.calls()).toEqual(["updatePassword"]);
    expect(isSet(passwords[2])).toBe(true);
    expect((await stack.up(third, { refresh: true })).operations).toEqual({ orders: "same", reports: "same" });

    const outputs = (await stack.outputs()) as Record<"all" | "login" | "passwordsInState", string[]>;
    const { all, login, passwordsInState } = outputs;
    expect(all.map((url) => new URL(url).password)).toEqual(["", ""]);
    expect(login).toEqual(["tsdbadmin", "tsdb"]);
    expect(passwordsInState).toEqual(["none", "none"]);
    kept.push(stack.printed(), await stack.pulumi("stack", "export", "--show-secrets"));
    kept.push(readFileSync(planFile, "utf8"), JSON.stringify(stack.emulator.journal()), JSON.stringify(outputs));
    const text = [...kept, ...stack.files()].join("\n");
    expect(text).toContain("passwordVersion");
    expect(initial).toHaveLength(1);
    expect([...passwords, ...initial].filter((secret) => text.includes(secret))).toEqual([]);
});
