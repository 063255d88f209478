import { stringify } from "yaml";
import type { Emulator } from "../../emulator";
import schema from "../../provider/hosts/native/schema.gen.json";
import { secretsProvider, startFastEmulator } from "../support/engine";
import { existingResources } from "../support/existing";
import { pathWith, programs, Project, root, type AnyLanguage } from "./language";

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

/** The changes and outputs of an example. */
interface Effect {
    readonly requests: readonly unknown[];
    readonly outputs: unknown;
}

/** The effects of the examples in TypeScript. The other languages must have the same effects. */
const expected = new Map<string, Effect>();

let emulator: Emulator;

beforeAll(async () => {
    // With the same seed, ids and passwords are the same in each language.
    emulator = await startFastEmulator({ seed: 1, peerings: "immediate" });
});

describe.each(languages)("the examples of the schema in $fence", ({ language, fence }) => {
    const { source, file } = programs[language];
    const path = language === "nodejs" ? process.env.PATH : pathWith(language);
    const test = path === undefined ? it.skip : it;
    let project: Project;

    beforeAll(async () => {
        if (path !== undefined) {
            const edit = (text: string) => text.replace(/^name: .*$/m, "name: examples");
            project = await Project.create(source, language, path, emulator, { edit });
        }
    });

    test.each(examples)(`the example of $name in ${fence} works as in TypeScript`, async ({ name, description }) => {
        emulator.reset();
        const ids = name.startsWith("get") ? await existingResources(emulator) : undefined;
        const code = codeIn(description, fence)
            .replaceAll("wn3nlzt505", ids?.service ?? "")
            .replaceAll("analytics1", emulator.projectId);
        project.write(file, complete(code, language));
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
        const effect = { requests: requestsTo(emulator), outputs: withoutTimes(outputs) };
        if (language === "nodejs") {
            expected.set(name, effect);
        }
        expect(effect.outputs).not.toEqual({});
        expect(effect).toEqual(expected.get(name));
        const state = await project.pulumi("stack", "export");
        expect(passwordsIn(outputs).filter((password) => state.includes(password))).toEqual([]);
    });
});

/** The code of a language in a description. */
function codeIn(description: string, fence: string): string {
    return new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\`$`, "ms").exec(description)?.[1] ?? "";
}

/** An example in YAML is a part of Pulumi.yaml. */
function complete(code: string, language: AnyLanguage): string {
    const settings = { name: "examples", runtime: "yaml", plugins: { providers: [{ name: "clouddb", path: root }] } };
    return language === "yaml" ? `${stringify(settings)}${code}` : code;
}

/** The requests that change something. */
function requestsTo({ changes }: Emulator): unknown[] {
    return changes().map(({ operationId, path, body }) => ({ operationId, path, body }));
}

/** The passwords in connection strings. */
function passwordsIn(outputs: unknown): string[] {
    return [...JSON.stringify(outputs).matchAll(/postgres:\/\/tsdbadmin:([^@"]+)@/g)].map(
        ([, password = ""]) => password,
    );
}

function withoutTimes(outputs: unknown): unknown {
    return JSON.parse(JSON.stringify(outputs).replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"'));
}
