import { delimiter } from "node:path";
import type { Emulator } from "../../emulator";
import { startFastEmulator } from "../support/engine";
import { existingResources } from "../support/existing";
import { pathWith, Project } from "./language";

const generator = pathWith("codegen")?.split(delimiter)[0];

/** The language, the program to replace, and its file. */
const programs = [
    { language: "nodejs", source: "tests/languages/typescript", file: "index.ts" },
    { language: "python", source: "examples/python", file: "__main__.py" },
    { language: "go", source: "examples/go", file: "main.go" },
] as const;

describe.each(programs)("pulumi import in $language", ({ language, source, file }) => {
    const path = language === "nodejs" ? process.env.PATH : pathWith(language);
    const test = generator === undefined || path === undefined ? it.skip : it;

    test("pulumi import of each kind generates a program that shows no change", async () => {
        const emulator = await startFastEmulator({ peerings: "immediate" });
        const resources = await entriesOf(emulator);
        const project = await Project.create(source, language, path ?? "", emulator);
        project.write(file, "");
        project.write("import.json", JSON.stringify({ resources }));

        // The language hosts from the Go module proxy cannot generate programs, and the generator cannot run them.
        const importing = project.withPath(generator ?? "");
        await importing.pulumi("import", "--file", "import.json", "--yes", "--protect=false", "--out", file);
        project.write(file, project.read(file).replace("@pulumi-clouddb/native", "pulumi-clouddb/native"));

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
