/**
 * `CLOUDDB_REPOSITORY_URL=… CLOUDDB_PLUGIN_DOWNLOAD_URL=… npm run registry -- FOLDER`: writes the two pages of the Pulumi
 * Registry to a folder, and checks the schema against the rules of the Registry. Run `npm run generate` with the
 * same addresses before.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read, readJson } from "./lib/files.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";

const pages = ["_index.md", "installation-configuration.md"];
/** The programs that the overview shows beside its own, which is in TypeScript. */
const programs = {
    python: "examples/python/__main__.py",
    go: "examples/go/main.go",
    yaml: "examples/yaml/Pulumi.yaml",
    java: "examples/java/src/main/java/shop/App.java",
};
/** What the Registry shows or requires of a package that is not built by Pulumi. */
const required = [
    ...["name", "displayName", "version", "description", "license", "publisher"],
    ...["repository", "homepage", "logoUrl", "pluginDownloadURL"],
];

export function run([folder = join(repositoryRoot, "registry")]) {
    const schema = readJson("provider/hosts/native/schema.gen.json");
    const texts = pages.map((name) => [name, withPrograms(read(`docs/${name}`))]);
    const problems = problemsOfSchema(schema);
    if (problems.length > 0) {
        throw new ScriptError(
            `The package is not ready for the Registry:\n  ${problems.join("\n  ")}\n` +
                "To set the addresses in the schema, run `npm run generate` with CLOUDDB_REPOSITORY_URL and " +
                "CLOUDDB_PLUGIN_DOWNLOAD_URL.",
        );
    }
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of texts) {
        writeFileSync(join(folder, name), withRegistryLinks(text, `${schema.repository}/blob/v${schema.version}/docs`));
    }
    process.stdout.write(`Wrote ${pages.join(" and ")} to ${folder}.\n`);
}

/** A program in TypeScript and the sentence after it become a choice of all languages. */
export function withPrograms(text) {
    return text.replace(/^```typescript\n([^]*?)^```\n\nThe same program in .*\n/m, (_, program) => {
        const others = Object.entries(programs).map(([language, file]) => [language, read(file)]);
        const blocks = [["typescript", program], ...others].map(
            ([language, code]) =>
                `{{% choosable language ${language} %}}\n\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\`\n\n{{% /choosable %}}\n\n`,
        );
        const languages = ["typescript", ...Object.keys(programs)].join(",");
        return `{{< chooser language "${languages}" >}}\n${blocks.join("")}{{< /chooser >}}\n`;
    });
}

/** Links between the two pages have the paths of the Registry. Links to other pages lead to the repository. */
export function withRegistryLinks(text, repository) {
    return text.replace(/\]\((?!https?:|#)([\w./-]+\.md)(#[\w-]+)?\)/g, (_, page, anchor = "") => {
        if (page === "_index.md") {
            return `](../${anchor})`;
        }
        return pages.includes(page) ? `](./${page.replace(".md", "/")}${anchor})` : `](${repository}/${page}${anchor})`;
    });
}

export function problemsOfSchema(schema) {
    const missing = required.filter((name) => !schema[name]).map((name) => `the schema has no ${name}`);
    const keywords = ["category/", "kind/"].filter((prefix) => !schema.keywords?.some((one) => one.startsWith(prefix)));
    return [...missing, ...keywords.map((prefix) => `the schema has no keyword ${prefix}…`)];
}
