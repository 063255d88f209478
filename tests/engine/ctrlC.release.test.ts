import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "../support/processes";
import { fromText, startProject } from "../support/project";

// What only the engine shows: its own reaction to a second Ctrl-C in a terminal, which sends it to all processes of the run.

const program = `new (require("pulumi-clouddb").Service)("orders", { name: "orders" });`;

test("Ctrl-C twice: the run ends at once, and the next one finds the service instead of creating a second one", async () => {
    let isSent = false;
    const project = await startProject(fromText(program), {
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (operationId === "createService") {
                isSent = true;
                await sleep(5_000);
            }
            return answer;
        },
    });
    const run = project.start("up", "--yes", "--skip-preview");
    let hasEnded = false;
    void run.ended.then(() => (hasEnded = true));
    const until = async (holds: () => boolean) => {
        while (!holds() && !hasEnded) {
            await sleep(20);
        }
    };
    await until(() => isSent);
    for (const time of [1, 2]) {
        // A terminal sends the signal to the whole process group.
        kill([{ id: -run.id }], "SIGINT");
        await until(() => run.output().split("^C received").length > time);
    }
    expect((await run.ended).code).not.toBe(0);
    const exported = async (file: string) => {
        await project.pulumi("stack", "export", "--file", file);
        const { deployment } = JSON.parse(readFileSync(join(project.folder, file), "utf8")) as {
            deployment: { resources: object[]; pending_operations?: { resource: { urn: string } }[] };
        };
        return [deployment.resources.length, deployment.pending_operations ?? []] as const;
    };
    const [before, pending] = await exported("before.json");
    expect(pending).toHaveLength(1);
    const [created, ...others] = project.emulator.snapshot().services;
    expect((await project.failing("up", "--yes", "--skip-preview")).stdout).toContain(created?.service_id);
    expect(others).toEqual([]);

    const pairs = [pending[0]?.resource.urn ?? "", created?.service_id ?? ""];
    // docs/troubleshooting.md: Pulumi imports nothing.
    for (const options of [pairs.flatMap((one) => ["--import-pending-creates", one]), ["--clear-pending-creates"]]) {
        await project.pulumi("stack", "import", "--file", "before.json");
        await project.pulumi("refresh", "--yes", "--skip-preview", ...options);
        expect(await exported("after.json")).toEqual([before, []]);
    }
});
