import type { Interceptor } from "../../emulator";
import { packageName, typeToken } from "../support/engine";
import { fromText, startProject, type TestProject } from "../support/project";

// What only the engine shows: which configuration each of its commands passes to the provider.

const program = `
const clouddb = require("${packageName}");
new clouddb.Vpc("network", { name: "network", cidr: "10.0.0.0/21", regionCode: "us-east-1" });
`;
const [oldToken, newToken] = ["old-token", "new-token"];

describe("after a rotation of the token", () => {
    let project: TestProject;

    beforeAll(async () => {
        let revoked = "";
        const intercept: Interceptor = ({ request }, carryOut) =>
            revoked !== "" && String(request.headers?.authorization).endsWith(revoked)
                ? Promise.resolve({ status: 401, headers: {}, body: '{"code":"UNAUTHORIZED","message":"Revoked."}' })
                : carryOut();
        const projects = ["emulator01"];
        const callers = [oldToken, newToken].map((token) => ({ token, projects }));
        const spare = 'new clouddb.Vpc("spare", { cidr: "10.1.0.0/21", regionCode: "us-east-1" });\n';
        project = await startProject(fromText(`${program}${spare}`), { callers, intercept });
        project.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_PROJECT_ID: "emulator01" });
        await project.pulumi("config", "set", "--secret", "clouddb:accessToken", oldToken);
        await project.pulumi("up", "--yes", "--skip-preview");
        revoked = oldToken;
        await project.pulumi("config", "set", "--secret", "clouddb:accessToken", newToken);
    });

    test.each(["refresh", "destroy"])(
        "`pulumi %s` uses the token of the last update, and the error names the commands that work",
        async (command) => {
            const { stdout, stderr } = await project.failing(command, "--yes");
            expect(stdout + stderr).toMatch(/`pulumi up`.*--run-program/);
        },
    );

    test("`pulumi preview --refresh --run-program` works, as in the workflow for drift", async () => {
        const { stdout } = await project.pulumi("preview", "--refresh", "--run-program", "--json");
        expect(JSON.parse(stdout)).toMatchObject({ changeSummary: { same: 3 } });
    });

    test("`pulumi destroy --run-program` works", async () => {
        const urn = `urn:pulumi:test::tests::${typeToken("Vpc")}::spare`;
        await project.pulumi("destroy", "--yes", "--skip-preview", "--run-program", "--target", urn);
        expect(project.emulator.snapshot().vpcs).toMatchObject([{ name: "network" }]);
    });

    test("`pulumi up` works, and then all other commands", async () => {
        await project.pulumi("up", "--yes", "--skip-preview");
        await project.pulumi("refresh", "--yes", "--skip-preview");
        await project.pulumi("destroy", "--yes", "--skip-preview");
        expect(project.emulator.snapshot().vpcs).toEqual([]);
    });
});
