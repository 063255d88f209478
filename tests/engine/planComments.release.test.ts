import { planComment } from "../../cli/planComment/comment";
import { parsePreview } from "../../cli/planComment/preview";
import { addsAlias } from "../../provider/lifecycle/errors";
import { packageName } from "../support/engine";
import { fromText, startProject, type TestProject } from "../support/project";

const protectionOff = "deletion protection off: a later run can delete this database";

// What only the engine shows: the JSON of a preview, from which the comment is made.

const program = ({ cidr = "10.0.0.0/21", cpuMillis = 1000 } = {}) => `
const clouddb = require("${packageName}");
const network = new clouddb.Vpc("network", { cidr: "${cidr}", regionCode: "us-east-1" });
new clouddb.Service("orders", { name: "orders", cpuMillis: ${cpuMillis}, memoryGbs: ${cpuMillis / 250}, vpcId: network.vpcId });
`;

describe("the plan of a real preview as a comment", () => {
    let project: TestProject;

    beforeAll(async () => {
        project = await startProject(fromText(program()));
        project.env({ CLOUDDB_ACCESS_TOKEN: "" });
    });

    const preview = async () => planComment(parsePreview((await project.pulumi("preview", "--json")).stdout));

    test("the comment for a new stack shows each call and needs no token", async () => {
        const comment = await preview();
        expect(comment).toContain("### `test` of `tests`: 2 created");
        expect(comment).toMatch(/\*\*Service `orders`\*\* will be created\n\n```text\n1 create service "orders"/);
        expect(comment).toContain("2 attach to VPC (known after apply)");
        expect(comment).not.toContain("[!WARNING]");
    });

    test("the comment for a change shows replacements and restarts first", async () => {
        project.env({ CLOUDDB_ACCESS_TOKEN: project.emulator.token });
        await project.pulumi("up", "--yes", "--skip-preview");
        project.env({ CLOUDDB_ACCESS_TOKEN: "" });
        expect(await preview()).toContain("no changes");

        project.write(program({ cidr: "10.8.0.0/21", cpuMillis: 2000 }));
        const comment = await preview();
        expect(comment).toContain("1 replaced, 1 changed");
        expect(comment).toContain("> - Vpc `network` will be **replaced** because of `cidr`");
        expect(comment).toMatch(/> - Service `orders`: `resize .* restarts the service, takes minutes`/);
        expect(comment.indexOf("[!WARNING]")).toBeLessThan(comment.indexOf("```text"));
        expect(comment).toMatch(
            /1 detach from VPC \d+, takes minutes\n2 attach to VPC \(known after apply\), `pulumi refresh` shows new endpoints of any replica sets, takes minutes\n3 resize/,
        );
    });

    test("the comment for a program with an invalid input shows only the error", async () => {
        project.write(program({ cidr: "10.0.0.0/99" }));
        const bad = await project.failing("preview", "--json");
        const comment = planComment(parsePreview(bad.stdout));
        expect(comment).toContain("the preview failed");
        expect(comment).toContain('cidr "10.0.0.0/99" is not an IPv4 network');
    });

    test("the comment for a program that does not run shows its error", async () => {
        // Node.js 20 takes half a minute to print the stack frames of Pulumi with colors.
        project.write("Error.stackTraceLimit = 1;\nthrow new Error('no such thing');\n");
        const bad = await project.failing("preview", "--json");
        const comment = planComment(parsePreview(bad.stdout));
        expect(comment).toContain("the preview failed");
        expect(comment).toContain("no such thing");
    });
});

describe("the plan of databases as a comment", () => {
    const service = (name: string, inputs: string, options = "{}") =>
        `new clouddb.Service("${name}", { name: "${name}", environment: "PROD", ${inputs} }, ${options});\n`;
    const programOf = (...services: string[]) => `const clouddb = require("${packageName}");\n${services.join("")}`;
    const open = 'deletionProtection: false, regionCode: "us-east-1"';
    const moved = open.replace("us-east-1", "eu-west-1");
    const retained = "{ retainOnDelete: true }";
    const [orders, archive] = [service("orders", open), service("archive", open, retained)];
    let project: TestProject;

    beforeAll(async () => {
        const closed = service("orders", open.replace("false", "true"));
        project = await startProject(fromText(programOf(closed, archive)));
        await project.pulumi("up", "--yes", "--skip-preview");
    });

    const risks = async (...services: string[]) => {
        project.write(programOf(...services));
        const comment = planComment(parsePreview((await project.pulumi("preview", "--json")).stdout));
        return comment.split("\n").filter((line) => line.startsWith("> - "));
    };

    test("protection that goes off is a warning", async () => {
        expect(await risks(orders, archive)).toEqual([`> - Service \`orders\`: \`${protectionOff}\``]);
        await project.pulumi("up", "--yes", "--skip-preview");
    });

    test("the comment warns of the lost data of a replaced database, and of one that is deleted after a rename", async () => {
        const [replaced, ...more] = await risks(service("orders", moved), archive);
        expect(replaced).toBe(
            "> - Service `orders` will be **replaced** because of `regionCode`, and the data will be lost",
        );
        expect(more).toEqual([expect.stringContaining("its data will be lost")]);
        expect((await risks(service("purchases", open))).sort()).toEqual([
            `> - A Service is deleted and another one created: if it is the same one, renamed or moved, ${addsAlias}`,
            "> - Service `archive` will be **deleted**, but `retainOnDelete` keeps the data",
            "> - Service `orders` will be **deleted**, and the data will be lost",
        ]);
    });
});
