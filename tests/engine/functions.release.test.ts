import { packageName } from "../support/engine";
import { fromText, startProject } from "../support/project";

// What only the engine shows: functions in a program, with outputs that a preview does not know.

const program = `
const { getServiceLogsOutput, getServiceOutput, getVpcsOutput, Service, Vpc } = require("${packageName}");
const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const { serviceId, name } = new Service("orders", { name: "orders", cpuMillis: 500, memoryGbs: 2 });
const service = getServiceOutput({ serviceId });
exports.status = service.status;
exports.cpuMillis = service.cpuMillis;
exports.found = getServiceOutput({ name }).serviceId.apply((found) => found !== undefined);
exports.networks = getVpcsOutput({}, { dependsOn: network }).apply((vpcs) => vpcs.map(({ cidr }) => cidr));
exports.log = getServiceLogsOutput({ serviceId, search: "ready to accept" }).apply((entries) => entries.length);
`;

describe("programs that call functions", () => {
    test("functions with unknown inputs need no token in a preview, and return the resources in the update with the settings of the stack config", async () => {
        const { env, emulator, pulumi, outputs } = await startProject(fromText(program));
        env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1", CLOUDDB_PROJECT_ID: "" });
        await pulumi("config", "set", "clouddb:projectId", emulator.projectId);
        await pulumi("preview");
        env({ CLOUDDB_BASE_URL: "" });
        await pulumi("config", "set", "clouddb:baseUrl", emulator.url);
        await pulumi("config", "set", "--secret", "clouddb:accessToken", emulator.token);

        const { stdout, stderr } = await pulumi("up", "--yes", "--skip-preview");
        expect(stdout + stderr).not.toMatch(/warning|getSecret/);
        expect(stdout + stderr).not.toContain(emulator.token);
        await expect(outputs()).resolves.toEqual({
            status: "READY",
            cpuMillis: 500,
            found: true,
            networks: ["10.0.0.0/21"],
            log: 1,
        });
        await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    });

    test("a function without a token fails with one readable error", async () => {
        const text = `exports.all = require("${packageName}").getServices();`;
        const { env, failing } = await startProject(fromText(text));
        env({ CLOUDDB_ACCESS_TOKEN: "" });
        const { stdout, stderr } = await failing("preview");
        const shown = stdout + stderr;
        expect(shown).toContain("clouddb:accessToken");
        expect(shown).not.toMatch(/unhandled|^\s+at\s/m);
    });
});
