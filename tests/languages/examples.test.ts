import { stringify } from "yaml";
import type { Emulator } from "../../emulator";
import schema from "../../provider/hosts/native/schema.gen.json";
import { secretsProvider, startFastEmulator } from "../support/engine";
import { existingResources } from "../support/existing";
import { fileOf, Project, root, testWith, type AnyLanguage } from "./language";

/** A language of the examples, and its name in the schema. */
const languages = [
    { language: "nodejs", fence: "typescript" },
    { language: "python", fence: "python" },
    { language: "go", fence: "go" },
    { language: "yaml", fence: "yaml" },
    { language: "java", fence: "java" },
] as const;

const described = Object.entries<{ readonly description: string }>({
    Provider: schema.provider,
    ...schema.resources,
    ...schema.functions,
});
const examples = described
    .map(([token, { description }]) => ({ name: token.replace("clouddb:index:", ""), description }))
    .filter(({ description }) => description.includes("{{% examples"));

/** The changes and outputs of the examples in TypeScript. The other languages must have the same effects. */
const expected = new Map<string, object>();

let emulator: Emulator;

beforeAll(async () => {
    // With the same seed, ids and passwords are the same in each language.
    emulator = await startFastEmulator({ seed: 1, peerings: "immediate" });
});

describe.each(languages)("the examples of the schema in $fence", ({ language, fence }) => {
    const test = testWith(language);
    let project: Project | undefined;

    test.each(examples)(`the example of $name in ${fence} works as in TypeScript`, async ({ name, description }) => {
        emulator.reset();
        const ids = name.startsWith("get") ? await existingResources(emulator) : undefined;
        const code = codeIn(description, fence)
            .replaceAll("wn3nlzt505", ids?.service ?? "")
            .replaceAll("analytics1", emulator.projectId);
        project ??= await Project.create(language, emulator);
        project.write(fileOf[language], complete(code, language));
        if (language === "go" || language === "java") {
            // An example may import a package whose module the project does not have yet; Java has no SDK yet.
            await project.pulumi("install");
        }
        // With its own stack, an example does not delete resources of the others.
        await project.pulumi("stack", "init", name, "--secrets-provider", secretsProvider);
        await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
        if (code.includes("analyticsToken")) {
            await project.pulumi("config", "set", "--secret", "analyticsToken", emulator.token);
        }
        emulator.clearJournal();

        await project.up();

        const outputs = await project.outputs();
        const text = JSON.stringify(outputs);
        const effect = {
            requests: emulator.changes().map(({ operationId, path, body }) => ({ operationId, path, body })),
            outputs: JSON.parse(text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')) as unknown,
        };
        if (language === "nodejs") {
            expected.set(name, effect);
        }
        expect(effect.outputs).not.toEqual({});
        expect(effect).toEqual(expected.get(name));
        const state = await project.pulumi("stack", "export");
        const passwords = [...text.matchAll(/postgres:\/\/tsdbadmin:([^@"]+)@/g)].map(([, password = ""]) => password);
        expect([...passwords, emulator.token].filter((secret) => state.includes(secret))).toEqual([]);
    });
});

/** The code of a language in a description. */
function codeIn(description: string, fence: string): string {
    return new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "ms").exec(description)?.[1] ?? "";
}

/** An example in YAML is a part of Pulumi.yaml. */
function complete(code: string, language: AnyLanguage): string {
    const settings = { name: "tests", runtime: "yaml", plugins: { providers: [{ name: "clouddb", path: root }] } };
    return language === "yaml" ? `${stringify(settings)}${code}` : code;
}
