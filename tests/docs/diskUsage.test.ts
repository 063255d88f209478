import { blocksOf } from "../support/documents";
import { fromText, startProject } from "../support/project";

const [program] = blocksOf("docs/production.md#disk-usage", ["ts"]);

test("the program of docs/production.md fails if a database stores more than the limit, or an unknown amount", async () => {
    const project = await startProject(fromText(program?.text ?? "", "index.ts"));
    const { emulator } = project;
    const [small, paused] = [await emulator.createService({ name: "orders" }), await emulator.createService({})];
    emulator.setServiceStatus(paused.id, "PAUSED");
    const limit = (mb: number) => project.pulumi("config", "set", "storageLimitMb", String(mb));
    await limit(1_000);
    await project.pulumi("preview");
    await limit(10);
    const { stdout } = await project.failing("preview");
    expect(stdout).toMatch(new RegExp(`More than 10 MB of storage:\\n +orders \\(${small.id}\\): \\d\\d MB`));
    expect(stdout).not.toContain(paused.id);
    await limit(1_000);
    emulator.setServiceStatus(small.id, "UNSTABLE");
    expect((await project.failing("preview")).stdout).toContain(`orders (${small.id}): unknown MB`);
});
