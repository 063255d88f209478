import { planComment } from "../../cli/planComment/comment";
import { parsePreview } from "../../cli/planComment/preview";
import type { Project } from "./language";
import { deployed, programOf, refusalOf, shop, test, urn } from "./shop";

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

    await expect(project.pulumi("destroy", "--yes")).rejects.toThrow(
        /is not deleted: its entry in the state has deletionProtection: true/,
    );
    project.write("Pulumi.yaml", program("", "protect: true"));
    await project.up();
    await expect(project.pulumi("destroy", "--preview-only")).rejects.toThrow("cannot be deleted");

    project.write("Pulumi.yaml", program(unprotected));
    await project.up();
    const sent = () => emulator.journal().flatMap(({ method, operationId }) => (method === "GET" ? [] : [operationId]));
    expect(sent()).toEqual([]);
    await expect(project.pulumi("up", "--yes", "--replace", urn)).rejects.toThrow(
        /already exists: [^]*\/docs\/protection.md/,
    );
    expect(sent()).toEqual([]);
    project.write("Pulumi.yaml", program(unprotected, "deleteBeforeReplace: true"));
    expect(await commentOn(project, "--replace", urn)).toContain(
        "Service `orders` will be **replaced** because of `--replace`, a taint or an option, and the data will be lost",
    );
    await project.pulumi("up", "--yes", "--replace", urn);
    expect(sent()).toEqual(["deleteService", "createService"]);

    await project.pulumi("destroy", "--yes");
    expect(emulator.snapshot().services).toEqual([]);
});

test("--replace of a protected service in YAML is refused before the creation, and, if a generated name permits a second database, before the deletion", async () => {
    const { emulator, project, ids } = await deployed(program());
    const replace = ["up", "--yes", "--replace", urn];
    emulator.clearJournal();
    await expect(project.pulumi(...replace)).rejects.toThrow("already exists: ");
    project.write("Pulumi.yaml", program("", "deleteBeforeReplace: true"));
    await expect(project.pulumi(...replace)).rejects.toThrow("is not deleted: its entry in the state has");
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);

    await project.pulumi("config", "set", "--path", "pulumi:autonaming.pattern", "${name}-${hex(4)}");
    project.write("Pulumi.yaml", program());
    await expect(project.pulumi(...replace)).rejects.toThrow("is not deleted: its entry in the state has");
    expect(ids()).toHaveLength(2);
});

/** The comment of a pull request on the preview. */
const commentOn = async (project: Project, ...options: string[]) =>
    planComment(parsePreview(await project.pulumi("preview", "--json", ...options)));

test("after a rename in YAML without an alias, the first lines of the refusal lead to the same database, with a replica set, and also after a retry", async () => {
    const { emulator, project, ids } = await deployed();
    const [old] = ids();
    project.write("Pulumi.yaml", shop("main"));
    expect(await commentOn(project)).toContain(
        "Service `orders` is **protected**: this run will fail after it has created `main`",
    );
    const refusal = await refusalOf(project.pulumi("up", "--yes"));
    expect(ids()).toHaveLength(2);
    const [, alias = ""] =
        /Renamed or moved: if no new one exists, add '([^']+)' to the option aliases\n/.exec(refusal) ?? [];
    expect(alias).toBe(urn);
    const ways = /\n +(Renamed or moved|Renamed or moved, and a new one exists|Delete it|Other cases): /g;
    expect([...refusal.matchAll(ways)].map(([, way]) => way).slice(0, 4)).toEqual([
        "Renamed or moved, and a new one exists",
        "Renamed or moved",
        "Delete it",
        "Other cases",
    ]);
    const retry = await refusalOf(project.pulumi("up", "--yes"));
    expect(retry).toContain(
        "Renamed or moved, and a new one exists: declare both, the new one with deletionProtection: false",
    );

    const second =
        "  main: { type: clouddb:Service, properties: { cpuMillis: 500, memoryGbs: 2, deletionProtection: false } }\n";
    project.write("Pulumi.yaml", shop("orders", { also: second }));
    await project.pulumi("up", "--yes");
    project.write("Pulumi.yaml", shop("orders"));
    await project.pulumi("up", "--yes");
    expect(ids()).toEqual([old]);
    project.write("Pulumi.yaml", shop("main", { option: `aliases: ['${alias}']` }));
    await project.pulumi("up", "--yes");
    await project.pulumi("preview", "--expect-no-changes");
    expect(ids()).toEqual([old]);
    const { url } = await project.outputs();
    expect(emulator.passwordMatches(old ?? "", decodeURIComponent(new URL(String(url)).password))).toBe(true);
});

test("a rename in YAML without an alias is refused in the preview if the service has protect", async () => {
    const { emulator, project } = await deployed(shop("orders", { option: "protect: true" }));
    emulator.clearJournal();
    project.write("Pulumi.yaml", shop("main", { option: "protect: true" }));
    await expect(project.pulumi("up", "--yes")).rejects.toThrow(/cannot be deleted\s+because it is protected/);
    expect(emulator.journal().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a refused destroy in YAML names what it has deleted and how it comes back, and the setting needs one up", async () => {
    const { project, ids } = await deployed();
    const [old] = ids();
    const refusal = await refusalOf(project.pulumi("destroy", "--yes"));
    expect(refusal).toMatch(
        /Keep it: `pulumi up` creates again, with new endpoints and peerings to accept: .*Read replica set "readers" \(/,
    );
    expect(refusal).not.toContain("Renamed or moved");
    await project.pulumi("up", "--yes");
    await project.pulumi("preview", "--expect-no-changes");
    expect(ids()).toEqual([old]);

    await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
    await refusalOf(project.pulumi("destroy", "--yes"));
    await project.pulumi("up", "--yes");
    await project.pulumi("destroy", "--yes");
    expect(ids()).toEqual([]);
});

test("after a taint of a protected service in YAML, the refusal leads to the same database", async () => {
    const { project, ids } = await deployed();
    const before = ids();
    await project.pulumi("state", "taint", urn, "--yes");
    expect(await commentOn(project)).toContain("Service `orders` is **protected**: this run will fail\n");
    const refusal = project.pulumi("up", "--yes");
    await expect(refusal).rejects.toThrow(`pulumi state untaint '${urn}'`);
    await project.pulumi("state", "untaint", urn, "--yes");
    await project.pulumi("up", "--yes", "--expect-no-changes");
    expect(ids()).toEqual(before);
});
