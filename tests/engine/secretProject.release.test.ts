import { signatureKey } from "../../provider/hosts/codec";
import { getServices, getServicesOutput, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { host, startStack } from "../support/engine";

// What only the engine shows: where it writes a value that only the configuration marks as secret.

test("functions of an inline program read the configuration, and a secret project in it is encrypted under its name, also as a default and in the result of a function", async () => {
    const stack = await startStack();
    const { projectId, url, token } = stack.emulator;
    stack.env({ CLOUDDB_PROJECT_ID: "" });
    await stack.setConfig("clouddb:projectId", projectId, true);
    const found: unknown[] = [];
    await stack.preview(async () => {
        found.push(await getServices().catch((error: unknown) => String(error)));
    });
    // Functions run in the process of the program, which does not have the environment of the stack. That of the plugin has it.
    expect(found).toEqual([host === "native" ? [] : expect.stringContaining("stack.setConfig")]);
    await stack.setConfig("clouddb:baseUrl", url);
    await stack.setConfig("clouddb:accessToken", token, true);
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
