import type { Emulator } from "../../emulator";
import { deployed, onlyNetwork, shop, test, urn } from "./shop";

// docs/changes.md and docs/troubleshooting.md in YAML: their commands and lines on a service in a
// network with a peering, with a replica set and outputs that use it. The table of docs/protection.md: refusedRuns.test.ts.

const unprotected = ", deletionProtection: false";

/** The stack, and what shows that it still has the same database with the password that its outputs contain. */
async function stack(text?: string) {
    const { settled, ids, ...others } = await deployed(text);
    const before = ids();
    const [id = ""] = before;
    return {
        ...others,
        id,
        settled: async () => {
            await settled(id);
            expect(ids()).toEqual(before);
        },
    };
}

/** A change of a service outside of the program. */
const request = async ({ url, token, projectId }: Emulator, id: string, operation: string, body?: object) => {
    const response = await fetch(`${url}/projects/${projectId}/services/${id}/${operation}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.status).toBeLessThan(300);
};

const inComponent = (aliases: string) =>
    shop("orders")
        .replace(
            / {2}orders:[^]*?(?= {2}readers:)/,
            `  orders:
    type: clouddb:ProductionDatabase
    properties: { cpuMillis: 500, memoryGbs: 2, vpcId: "\${network.vpcId}" }
    options: { ${aliases} }
`,
        )
        .replaceAll("${orders.serviceId}", "${orders.service.serviceId}")
        .replaceAll("${orders.currentPassword}", "${orders.service.currentPassword}");

test("into ProductionDatabase, with the old URN of the service as its alias", async () => {
    const { up, settled } = await stack();
    await up(inComponent(`aliases: ['${urn}']`));
    await settled();
});

test("state rename changes one stack, before the program", async () => {
    const { project, up, settled } = await stack();
    await project.pulumi("state", "rename", urn, "main", "--yes");
    await up(shop("main"));
    await settled();
});

test("an alias stays until the stack has been updated, and can then be removed", async () => {
    const { up, settled } = await stack();
    await up(shop("main", { option: `aliases: ['${urn}']` }));
    await up(shop("main"), "--expect-no-changes");
    await settled();
});

test("a stack is removed without the deletion of its databases", async () => {
    const { project, emulator, id } = await stack();
    await project.pulumi("stack", "rm", "--yes", "--force", "--preserve-config", "test");
    expect(emulator.snapshot().services.map(({ service_id: one }) => one)).toEqual([id]);
});

test("uninstall: with retainOnDelete on every resource, their removal from the program keeps them", async () => {
    const { project, up, id, emulator } = await stack();
    const retained = shop("orders", { option: "retainOnDelete: true" });
    await up(retained);
    await up(onlyNetwork);
    expect(emulator.snapshot().services.map(({ service_id: one }) => one)).toEqual([id]);
    expect(await project.pulumi("stack", "export")).not.toContain(id);
});

test("a new password that a run has set and not recorded is set again by another value", async () => {
    const { emulator, up, id, settled } = await stack(shop("orders", { property: ", password: a-first-password" }));
    await request(emulator, id, "updatePassword", { password: "set-by-somebody-else" });
    await up(shop("orders", { property: ", password: a-second-password" }));
    await settled();
});

test("a service that somebody paused is resumed by the next run, and then gets a replica set", async () => {
    const { emulator, project, up, id, settled } = await stack();
    await request(emulator, id, "stop");
    const failure = await up(shop("orders", { ofReaders: ", nodes: 2" })).catch((error: unknown) => String(error));
    expect(failure).toContain("it is paused, but must be running");
    await project.pulumi("refresh", "--yes");
    await up();
    await settled();
});

test("a replica set of a service that the program pauses is refused in the preview", async () => {
    const { emulator, project, up, settled } = await stack(shop("orders"));
    await up(shop("orders", { property: ", paused: true" }));
    emulator.clearJournal();
    const also = `  copy: { type: clouddb:Service, properties: { fork: { serviceId: "\${orders.serviceId}", strategy: NOW }${unprotected} } }\n`;
    project.write("Pulumi.yaml", shop("orders", { property: ", paused: true", also }));
    await expect(project.pulumi("preview")).rejects.toThrow(
        /fork\.serviceId: service "orders" \(\w+\) must run for it: declare paused: false until it exists/,
    );
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
    await up(shop("orders", { also }));
    await up(shop("orders", { property: ", paused: true", also }));
    await up(shop("orders"));
    await settled();
});
