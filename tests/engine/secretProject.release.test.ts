import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../provider/api/errors";
import { getService, getServicesOutput, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, type TestStack } from "../support/engine";

// What only the engine shows: where it writes a value that only the configuration marks as secret.

afterAll(removeStacks);

test("a secret project of the configuration and the secret parent of a fork stay encrypted, including in other outputs", async () => {
    const stack = await startWithSecretProject();
    const { projectId } = stack.emulator;
    await stack.up(() => ({ id: pulumi.unsecret(new Service("parent", { cpuMillis: 500 }).serviceId) }));
    const [parent] = stack.emulator.snapshot().services;
    const parentId = parent?.service_id ?? "";
    const program =
        (replicaCount = 0) =>
        () => {
            new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
            const fork = { serviceId: pulumi.secret(parentId), strategy: "NOW" as const };
            const copy = new Service("copy", { fork, replicaCount, connectionPooler: true });
            const reports = new ReadReplicaSet("reports", { serviceId: copy.serviceId, cpuMillis: 500 });
            const read = Service.get("read", copy.id);
            // The resource itself is exported too, with all its outputs.
            return {
                copy: copy.forkedFrom,
                url: copy.connectionString,
                reports: reports.host,
                host: read.host,
                services: getServicesOutput(),
            };
        };
    await stack.preview(program());
    stack.emulator.clearJournal();
    await stack.up(program());
    await stack.refresh();
    expect(Object.values((await stack.up(program())).operations)).not.toContain("update");
    await stack.up(program(1));
    await stack.refresh();

    const outputs = JSON.stringify(await stack.outputs());
    expect(outputs).toContain(projectId);
    expect(outputs).toContain(parentId);
    // Only the declaration of the fork marks its parent as secret, and `read` has no declaration.
    const stored = (await stack.resources()).filter(({ urn }) => !urn.endsWith("::read"));
    expect(stored.filter((resource) => JSON.stringify(resource).includes(parentId))).toEqual([]);
    const kept = [await stack.exported(), ...stack.files()].join("\n");
    expect(kept).not.toContain(projectId);
    expect(stack.printed()).not.toContain(projectId);
}, 120_000);

test("a secret project stays encrypted in failed runs and in the reasons that the state stores", async () => {
    const stack = await startWithSecretProject();
    const { projectId } = stack.emulator;
    const refused = { kind: "answer", status: 400 } as const;
    stack.emulator.addFaults([
        { operation: "enablePooler", times: 1, effect: refused },
        { operation: "setHA", effect: refused },
    ]);
    const program =
        (replicaCount: number, id = "") =>
        () => {
            new Service("orders", { replicaCount, connectionPooler: true });
            if (id !== "") {
                Service.get("read", id);
            }
        };
    const runs = [await failed(stack.up(program(0)))];
    const kept = [await stack.exported()];
    runs.push(await failed(stack.up(program(1))), await failed(stack.up(program(0, "missing001"))));
    stack.emulator.addFaults([{ operation: "getService", effect: refused }]);
    runs.push(await failed(stack.refresh()));
    const reason = () => getService({ serviceId: "missing001" }).catch((error: unknown) => messageOf(error));
    await stack.up(() => ({ reason: reason() }));
    expect((await stack.outputs()).reason).toMatch(/no service missing001 in project \[secret\]/);
    kept.push(await stack.exported(), ...stack.files());

    const path = /\(\w+ \/projects\/\[secret\]\/services\//;
    expect(runs.map(({ errors }) => errors.join("\n"))).toEqual([
        expect.stringMatching(path),
        expect.stringMatching(path),
        expect.stringContaining('in project "[secret]"'),
        expect.stringMatching(path),
    ]);
    expect(kept.join("\n")).toMatch(/"initErrors": \[\s*"enablePooler failed/);
    expect(kept.filter((text) => text.includes(projectId))).toEqual([]);
    expect(stack.printed()).not.toContain(projectId);
}, 120_000);

/** A stack whose settings, including a secret project, come from its configuration. */
async function startWithSecretProject(): Promise<TestStack> {
    const stack = await startStack();
    stack.env({ CLOUDDB_PROJECT_ID: "" });
    await stack.setConfig("clouddb:projectId", stack.emulator.projectId, true);
    // Functions run in the process of the program, which does not have the environment of the stack.
    await stack.setConfig("clouddb:baseUrl", stack.emulator.url);
    await stack.setConfig("clouddb:accessToken", stack.emulator.token, true);
    return stack;
}
