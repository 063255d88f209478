import { setTimeout as sleep } from "node:timers/promises";
import { kill } from "../support/processes";
import { describeOnWindows, packageOf, processesWith, startProject, until, type Host } from "./windows";

const programOf = (host: Host) => `new (require("${packageOf(host)}").Service)("orders", { name: "orders" });`;

const providers = { dynamic: "dynamic-provider", plugin: "pulumi-resource-clouddb.js" } as const;

describeOnWindows("on Windows, a killed engine", () => {
    test.each(Object.entries(providers) as [Host, string][])(
        "ends the %s provider, and the next run names the service that exists",
        async (host, provider) => {
            const made = { service: false };
            const stack = await startProject(
                `C:\\killed-${host}`,
                { "index.js": programOf(host) },
                {
                    intercept: async ({ operationId }, carryOut) => {
                        const answer = await carryOut();
                        if (operationId === "createService") {
                            made.service = true;
                            await sleep(3_000);
                        }
                        return answer;
                    },
                },
            );
            const run = stack.start("up", "--yes", "--skip-preview");
            await until(() => made.service, 300_000);
            expect(processesWith(provider)).not.toEqual([]);
            kill(processesWith("pulumi.exe").map((id) => ({ id })));
            await run.ended;
            await until(() => processesWith(provider).length === 0);
            const [service, ...others] = stack.emulator.snapshot().services;
            expect(others).toEqual([]);
            await stack.pulumi("cancel", "--yes");
            const refused = await stack.failing("up", "--yes", "--skip-preview");
            expect(refused).toContain(service?.service_id ?? "none");
            expect(stack.emulator.snapshot().services).toHaveLength(1);
        },
    );
});
