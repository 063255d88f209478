import { signatureKey } from "../../provider/hosts/codec";
import { getServicesOutput, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: where it writes a value that only the configuration marks as secret.

test("a secret project of the configuration is encrypted under its name, also as a default and in the result of a function", async () => {
    const stack = await startWithSecretProject();
    const { projectId } = stack.emulator;
    const program =
        (replicaCount = 0) =>
        () => {
            const parent = new Service("parent", { cpuMillis: 500 });
            new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
            const fork = { serviceId: parent.serviceId, strategy: "NOW" };
            const copy = new Service("copy", { fork, replicaCount, connectionPooler: true });
            new ReadReplicaSet("reports", { serviceId: copy.serviceId, cpuMillis: 500 });
            Service.get("read", copy.id);
            return { services: getServicesOutput({}, { dependsOn: copy }) };
        };
    await stack.preview(program());
    await stack.up(program());
    await stack.refresh();
    expect(Object.values((await stack.up(program())).operations)).not.toContain("update");
    await stack.up(program(1));
    await stack.refresh();

    const stored = (await stack.resources()).filter(({ type }) => !type.startsWith("pulumi:"));
    expect(stored.length).toBe(5);
    for (const { urn, inputs, outputs } of stored) {
        const marks = [inputs.projectId ?? { [signatureKey]: "" }, outputs.projectId] as object[];
        expect([urn, marks.map((value) => signatureKey in value)]).toEqual([urn, [true, true]]);
    }
    // Outputs with another name contain the project.
    const derived = ["host", "poolerHost", "forkedFrom"];
    const rest = JSON.stringify(await stack.resources(), (name, value: unknown) =>
        derived.includes(name) ? undefined : value,
    );
    expect(rest).not.toContain(projectId);
    expect(JSON.stringify(await stack.outputs())).toContain(projectId);
    expect(stack.printed()).not.toContain(projectId);
});

test("Pulumi hides a secret of the configuration in the messages of failed runs", async () => {
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
    const runs = [
        await failed(stack.up(program(0))),
        await failed(stack.up(program(1))),
        await failed(stack.up(program(0, "missing001"))),
    ];
    stack.emulator.addFaults([{ operation: "getService", effect: refused }]);
    runs.push(await failed(stack.refresh()));

    const path = /\w+ \/projects\/\[secret\]\/services\//;
    expect(runs.map(({ errors }) => errors.join("\n"))).toEqual([
        expect.stringMatching(path),
        expect.stringMatching(path),
        expect.stringContaining('in project "[secret]"'),
        expect.stringMatching(path),
    ]);
    expect(stack.printed()).not.toContain(projectId);
});

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
