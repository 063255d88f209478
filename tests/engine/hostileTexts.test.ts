import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Peering, Service, Vpc } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { EngineRun } from "../support/engine";

afterAll(removeStacks);

const root = join(__dirname, "..", "..");
const hostile = "h\u001b[2J\u009b31m\r\n::error::injected\n##[error]\u202e";

/** Fails if a text contains what controls a terminal or the log of a pipeline. */
function expectHarmless(text: string): void {
    // Pulumi indents and ends lines itself, and colors nothing without a terminal.
    expect(text.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text).not.toMatch(/^\s*::error/m);
    expect(text).not.toContain("##[error]");
}

/** What a run shows for a resource: the texts before the engine formats them, and its output. */
const expectHarmlessRun = ({ output, errors, messages, statusLines }: EngineRun) => {
    const texts = [...errors, ...Object.values(messages).flat(), ...Object.values(statusLines).flat()];
    [output, ...texts].forEach(expectHarmless);
};

/** Runs a command of the package, whatever its exit code is. */
async function command(name: string, args: readonly string[], env: Record<string, string>): Promise<string> {
    const run = promisify(execFile)(process.execPath, [join(root, "dist", "cli", `${name}.js`), ...args], {
        cwd: root,
        env: { ...process.env, ...env },
    });
    const { stdout, stderr } = await run.catch((error: unknown) => error as { stdout: string; stderr: string });
    return `${stdout}${stderr}`;
}

test("texts of the API reach neither the output of Pulumi, nor a plan comment, nor the list of unmanaged resources as they are", async () => {
    let isRejected = false;
    const stack = await startStack({
        peerings: { fail: hostile },
        intercept: async ({ operationId }, carryOut) =>
            isRejected && operationId === "setEnvironment"
                ? {
                      status: 400,
                      headers: { "content-type": "application/json" },
                      body: JSON.stringify({ code: hostile, message: hostile }),
                  }
                : carryOut(),
    });
    const program = (environment: "DEV" | "PROD") => () => {
        const { vpcId } = new Vpc("network", { name: "network", cidr: "10.0.0.0/16", regionCode: "us-east-1" });
        new Service("orders", { name: "orders", environment });
        return { vpcId };
    };
    await stack.up(program("DEV"));
    const { services } = stack.emulator.snapshot();
    const id = services[0]?.service_id ?? "";

    // An error of the API.
    isRejected = true;
    const refused = await failed(stack.up(program("PROD")));
    expect(refused.output).toContain("::error::injected");
    expectHarmlessRun(refused);
    isRejected = false;

    // A name that somebody else has set, in a plan and in the error of an existing name.
    stack.emulator.updateService(id, { name: hostile });
    expectHarmlessRun(await stack.refresh());
    const renamed = await stack.preview(program("PROD"));
    expect(renamed.output).toContain("injected");
    expect(renamed.messages.orders?.join("\n")).toContain("injected");
    expectHarmlessRun(renamed);

    // The reason of a failed peering.
    const peered = await failed(
        stack.up(() => {
            const { vpcId } = program("DEV")();
            const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
            new Peering("office", { vpcId, ...peer });
        }),
    );
    expectHarmlessRun(peered);

    const folder = mkdtempSync(join(tmpdir(), "clouddb-hostile-"));
    try {
        // The plan and the error as the engine reports them, and as an older provider or another one would.
        const { urn } = await stack.state("orders");
        const digest = join(folder, "preview.json");
        const texts = [...(renamed.messages.orders ?? []), ...refused.errors, hostile];
        const diagnostics = texts.map((message) => ({ urn, severity: "error", message }));
        writeFileSync(digest, JSON.stringify({ steps: [{ op: "update", urn }], diagnostics }));
        const comment = await command("clouddb-plan-comment", [digest], {});
        expect(comment).toContain("injected");
        expectHarmless(comment);

        // A service that no stack manages.
        await stack.emulator.handle({
            method: "POST",
            path: `/v1/projects/${stack.emulator.projectId}/services`,
            headers: { authorization: `Bearer ${stack.emulator.token}`, "content-type": "application/json" },
            body: JSON.stringify({ name: "other" }),
        });
        const other = stack.emulator.snapshot().services.find(({ name }) => name === "other");
        stack.emulator.updateService(other?.service_id ?? "", { name: hostile });
        const exported = join(folder, "stack.json");
        writeFileSync(exported, await stack.exported());
        const list = await command("clouddb-orphans", [exported], {
            CLOUDDB_BASE_URL: stack.emulator.url,
            CLOUDDB_PROJECT_ID: stack.emulator.projectId,
            CLOUDDB_ACCESS_TOKEN: stack.emulator.token,
        });
        expect(list).toContain("injected");
        expectHarmless(list);
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}, 180_000);
