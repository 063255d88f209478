import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service } from "../../sdk/nodejs";
import { host, startStack } from "../support/engine";

interface Exported {
    readonly deployment: { resources: { readonly urn: string; id?: string }[]; pending_operations?: object[] };
}

test("docs/troubleshooting.md: --import-pending-creates imports nothing with the dynamic provider, and the resource with the plugin", async () => {
    const stack = await startStack();
    const program = () => {
        new Service("orders", { cpuMillis: 500, memoryGbs: 2 });
    };
    await stack.up(program);
    const { urn, id } = await stack.state("orders");
    const exported = JSON.parse(await stack.exported()) as Exported;
    const { deployment } = exported;
    const pending = deployment.resources.filter((one) => one.urn === urn);
    deployment.pending_operations = pending.map((resource) => ({
        resource: { ...resource, id: "", outputs: {} },
        type: "creating",
    }));
    deployment.resources = deployment.resources.filter((one) => one.urn !== urn);
    const file = join(stack.folder, "interrupted.json");
    writeFileSync(file, JSON.stringify(exported));
    await stack.pulumi("stack", "import", "--file", file);

    const pair = [urn, id].flatMap((one) => ["--import-pending-creates", one]);
    const refresh = stack.pulumi("refresh", "--yes", "--skip-preview", "--non-interactive", ...pair);
    const output = await refresh.catch(String);
    expect([host, (await stack.entries("orders")).map((one) => one.id), output]).toEqual([
        host,
        host === "native" ? [id] : [],
        expect.any(String),
    ]);
});
