import type { Emulator } from "../../emulator";
import { startFastEmulator } from "../support/engine";
import { existingResources } from "../support/existing";
import { fileOf, Project, testWith } from "./language";

describe.each(["nodejs", "python", "go", "java"] as const)("pulumi import in %s", (language) => {
    const file = fileOf[language];
    testWith(language, "codegen")("pulumi import of each kind generates a program that shows no change", async () => {
        const emulator = await startFastEmulator({ peerings: "immediate" });
        const resources = await entriesOf(emulator);
        const project = await Project.create(language, emulator, { program: "" });
        project.write("import.json", JSON.stringify({ resources }));

        // What generates programs cannot run them.
        const importing = project.withGenerator();
        await importing.pulumi("import", "--file", "import.json", "--yes", "--protect=false", "--out", file);
        const program = project.read(file).replace("@pulumi-clouddb/native", "pulumi-clouddb/native");
        project.write(file, program.replace("package generated_program;", "package shop;"));

        emulator.clearJournal();
        await project.pulumi("preview", "--expect-no-changes");
        await project.up({ expectNoChanges: true });
        expect(emulator.changes()).toEqual([]);
    });
});

/** The entries of Pulumi's import file for a resource of each kind. */
async function entriesOf(emulator: Emulator) {
    const { vpc, peering, service, readReplicaSet } = await existingResources(emulator);
    const peeringId = `${vpc}/${peering}`;
    return [
        { type: "clouddb:index:Vpc", name: "network", id: vpc },
        { type: "clouddb:index:Peering", name: "peering", id: peeringId },
        { type: "clouddb:index:PeeringActivation", name: "activation", id: peeringId },
        { type: "clouddb:index:Service", name: "orders", id: service },
        { type: "clouddb:index:ReadReplicaSet", name: "reports", id: `${service}/${readReplicaSet}` },
    ];
}
