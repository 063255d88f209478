import type { Emulator } from "../../emulator";
import { blocksOf, shellBlocksOf } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { Project, root } from "./language";
import { test } from "./shop";

// The production program in YAML with its three stacks, while prod alone is restored, and then deleted with an archive.

const plugins = `plugins:\n  providers:\n    - { name: clouddb, path: ${root} }\n`;
const yamlOf = (section: string) => blocksOf(section, ["yaml"]).map(({ text }) => `${text}\n${plugins}`);
const stacks = ["dev", "staging", "prod"];
const unattended = "export PULUMI_SKIP_CONFIRMATIONS=true\n";

const open = (emulator: Emulator, program: string) =>
    Project.create("yaml", emulator, { program, env: { ORDERS_PASSWORD: "a password of prod" }, isProtected: true });

test("a restore and a deletion in YAML change prod alone, and leave the program of production as it is", async () => {
    const emulator = await startFastEmulator();
    const services = () => emulator.snapshot().services;
    const [production = ""] = yamlOf("docs/production.md#stacks");
    const project = await open(emulator, `name: shop\nruntime: yaml\n${production}`);
    const here = (lines: string) =>
        lines
            .replace("https://console.example.com/public/api/v1", emulator.url)
            .replace("abcdefghij", emulator.projectId);
    const [, configure = ""] = shellBlocksOf("docs/production.md#stacks");
    await project.shell(unattended + here(configure));
    for (const stack of stacks) {
        await project.shell(`${unattended}pulumi up --stack ${stack}`);
    }
    const [dev, staging, prod] = services();
    const unchanged = async (...names: readonly string[]) => {
        for (const stack of names) {
            await project.pulumi("preview", "--stack", stack, "--expect-no-changes");
        }
    };

    // The copy.
    const [restoring = ""] = yamlOf("docs/restore.md#in-yaml");
    const restored = await open(emulator, restoring);
    const [create = "", again = ""] = shellBlocksOf("docs/restore.md#in-yaml");
    const now = () => new Date().toISOString();
    await restored.shell(
        unattended +
            here(create)
                .replace("wn3nlzt505", prod?.service_id ?? "")
                .replace("2026-01-31T12:00:00Z", now()),
    );
    const copyOf = (id: string | undefined) => services().filter(({ forked_from: from }) => from?.service_id === id);
    const [first] = copyOf(prod?.service_id);
    expect(first).toMatchObject({ ha_replicas: { replica_count: 1 }, metadata: { environment: "PROD" } });
    await restored.shell(unattended + again.replace("2026-01-31T11:00:00Z", now()));
    const [copy, ...others] = copyOf(prod?.service_id);
    expect(others).toEqual([]);
    expect(copy?.service_id).not.toBe(first?.service_id);
    expect(await restored.outputs()).toMatchObject({ serviceId: copy?.service_id });
    await restored.pulumi("preview", "--expect-no-changes");
    await unchanged(...stacks);

    // The archive, and the deletion.
    const [archiving = "", returning = ""] = yamlOf("docs/deletion.md#in-yaml");
    const archive = await open(emulator, archiving);
    await archive.pulumi("config", "set", "archiveOf", prod?.service_id ?? "");
    await archive.up();
    const archived = copyOf(prod?.service_id).find(({ status }) => status === "PAUSED");
    const [remove = ""] = shellBlocksOf("docs/deletion.md#in-yaml");
    await project.shell(unattended + remove);
    expect(services().map(({ service_id: id }) => id)).toEqual(
        [dev, staging, copy, archived].map((one) => one?.service_id),
    );
    await unchanged("dev", "staging");

    // The return.
    archive.write("Pulumi.yaml", returning);
    await archive.up();
    expect(copyOf(archived?.service_id)).toMatchObject([{ status: "READY" }]);
});

test("an existingId that is null in the configuration adopts in one stack, and creates in another one", async () => {
    const emulator = await startFastEmulator();
    const { id } = await emulator.createService();
    const program = `name: shop
runtime: yaml
${plugins}config:
  existingId: { type: string }
resources:
  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, existingId: "\${existingId}" }
`;
    const project = await open(emulator, program);
    await project.pulumi("config", "set", "existingId", id);
    expect(await project.pulumi("preview")).toContain(`adopt service "${id}"`);
    await project.pulumi("stack", "init", "dev");
    await project.pulumi("config", "set", "existingId", "null");
    expect(await project.pulumi("preview")).toContain("create service");
});
