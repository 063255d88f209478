import { planComment } from "../../cli/planComment/comment";
import { parsePreview } from "../../cli/planComment/preview";
import type { Project } from "./language";
import { deployed, failureOf, programOf, refusalOf, test, urn } from "./shop";

// docs/languages.md: the rule for deletion holds without Pulumi's `protect` option, which only the classes in TypeScript set.

/** A program with a service with this property and this option. */
const program = (property = "", option = "") =>
    programOf(`  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2${property} }
    options: { ${option} }
`);

const unprotected = ", deletionProtection: false";

test("a protected service in YAML is kept although the preview passes, with protect: true the preview fails, and without protection it is replaced and deleted", async () => {
    const { emulator, project } = await deployed(program());
    emulator.clearJournal();

    await refusalOf(project.pulumi("destroy", "--yes"));
    project.write("Pulumi.yaml", program("", "protect: true"));
    await project.up();
    await failureOf(project.pulumi("destroy", "--preview-only"));

    project.write("Pulumi.yaml", program(unprotected));
    await project.up();
    const sent = () => emulator.journal().flatMap(({ method, operationId }) => (method === "GET" ? [] : [operationId]));
    expect(sent()).toEqual([]);
    expect(await failureOf(project.pulumi("up", "--yes", "--replace", urn))).toContain("/docs/protection.md");
    expect(sent()).toEqual([]);
    project.write("Pulumi.yaml", program(unprotected, "deleteBeforeReplace: true"));
    expect(await commentOn(project, "--replace", urn)).toMatch(/`orders`.*\*\*replaced\*\*.*lost/);
    await project.pulumi("up", "--yes", "--replace", urn);
    expect(sent()).toEqual(["deleteService", "createService"]);

    await project.pulumi("destroy", "--yes");
    expect(emulator.snapshot().services).toEqual([]);
});

/** The comment of a pull request on the preview. */
const commentOn = async (project: Project, ...options: string[]) =>
    planComment(parsePreview(await project.pulumi("preview", "--json", ...options)));

test("a refused destroy in YAML says how to delete the database, what is gone comes back, and the setting needs one up", async () => {
    const { project, ids } = await deployed();
    const [old] = ids();
    const refusal = await refusalOf(project.pulumi("destroy", "--yes"));
    expect(refusal).toMatch(
        /^ *Delete it: declare deletionProtection: false without ignoreChanges, run `pulumi up`, repeat the command$/m,
    );
    await project.pulumi("up", "--yes");
    await project.pulumi("preview", "--expect-no-changes");
    expect(ids()).toEqual([old]);

    await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
    await refusalOf(project.pulumi("destroy", "--yes"));
    await project.pulumi("up", "--yes");
    await project.pulumi("destroy", "--yes");
    expect(ids()).toEqual([]);
});
