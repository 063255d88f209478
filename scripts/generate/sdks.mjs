/** Generates the SDKs of other languages from the schema. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { execa } from "execa";
import { wanted } from "../engine/modules.mjs";
import { ensureTool } from "../engine/setup.mjs";
import { repositoryRoot } from "../lib/repository.mjs";
import { goText, propertyNames, pythonText, snakeCase } from "./words.mjs";

const schemaFile = "provider/hosts/native/schema.gen.json";
/** The generated files and folders of each language. Other files in the same folder are hand-written. */
const generatedParts = {
    python: { folder: "sdk/python", generated: [".gitattributes", ".gitignore", "pyproject.toml", "pulumi_clouddb"] },
    go: { folder: "sdk/go", generated: [".gitattributes", "clouddb"] },
};
/**
 * Hashes of the inputs and outputs of the last generation. They allow a check on a machine without Go, because the
 * generator is deterministic.
 */
const stampPath = "sdk/generated.json";
const compiledFiles = /(^|\/)__pycache__\/|\.pyc$/;

/** Generates the SDKs if they are stale. With --check it only reports that, and returns 1. */
export async function generateSdks(args) {
    const inputs = hash([
        [schemaFile, readFileSync(join(repositoryRoot, schemaFile))],
        ["generator", generator()],
    ]);
    if (
        existsSync(join(repositoryRoot, stampPath)) &&
        readFileSync(join(repositoryRoot, stampPath), "utf8") === stamp(inputs)
    ) {
        return 0;
    }
    const names = Object.values(generatedParts).map(({ folder }) => folder);
    if (args.includes("--check")) {
        process.stderr.write(`Stale: ${names.join(", ")}. Run: npm run generate\n`);
        return 1;
    }
    const { bin } = await ensureTool("codegen");
    const stage = mkdtempSync(join(tmpdir(), "clouddb-sdk-"));
    try {
        const targets = Object.keys(generatedParts).map((language) => `${language}=${join(stage, language)}`);
        await execa(join(bin, wanted("codegen").programs[0].name), [
            "sdk",
            join(repositoryRoot, schemaFile),
            ...targets,
        ]);
        const names = propertyNames(JSON.parse(readFileSync(join(repositoryRoot, schemaFile), "utf8")));
        allowUnions(join(stage, "python", "pulumi_clouddb"));
        rewrite(join(stage, "python", "pulumi_clouddb"), /\.py$/, (text) => pythonText(text, names));
        rewrite(join(stage, "go", "clouddb"), /\.go$/, (text) => goText(text, names));
        rewrite(join(stage, "python"), /^pyproject\.toml$/, withPlainBackend);
        for (const [language, { folder, generated }] of Object.entries(generatedParts)) {
            for (const name of generated) {
                rmSync(join(repositoryRoot, folder, name), { recursive: true, force: true });
                cpSync(join(stage, language, name), join(repositoryRoot, folder, name), { recursive: true });
            }
        }
    } finally {
        rmSync(stage, { recursive: true, force: true });
    }
    writeFileSync(join(repositoryRoot, stampPath), stamp(inputs));
    process.stdout.write(`Wrote ${names.join(", ")}.\n`);
    return 0;
}

/** Removes checks in which Pulumi's generator for Python rejects a union that a function returns, such as a size. */
function allowUnions(folder) {
    const { functions } = JSON.parse(readFileSync(join(repositoryRoot, schemaFile), "utf8"));
    for (const [token, { outputs }] of Object.entries(functions)) {
        const file = join(folder, `${snakeCase(token.split(":").at(-1))}.py`);
        const unions = Object.entries(outputs.properties).filter(([, { oneOf }]) => oneOf !== undefined);
        const text = unions.reduce(
            (before, [property]) => {
                const name = snakeCase(property);
                return before.replace(new RegExp(` +if ${name} and not isinstance\\(${name}, dict\\):\n.*\n`), "");
            },
            readFileSync(file, "utf8"),
        );
        writeFileSync(file, text);
    }
}

/** Rewrites the files of a folder whose names match. */
function rewrite(folder, names, change) {
    for (const file of filesIn(folder).filter((one) => names.test(relative(folder, one)))) {
        writeFileSync(file, change(readFileSync(file, "utf8")));
    }
}

/** A build backend that has no deprecated settings, and that writes nothing to the folder of the sources. */
function withPlainBackend(text) {
    return text
        .replace(/\s+\[project\.license\]\n\s+text = (".*")/, "\n  license = $1")
        .replace(/requires = \["setuptools.*\]/, 'requires = ["flit_core>=3.11,<4"]')
        .replace('"setuptools.build_meta"', '"flit_core.buildapi"')
        .replace(/\n\[tool\]\n[^]*$/, "");
}

/** Its modules and sources: the part of the cache key that does not depend on the machine. */
function generator() {
    const { key, target } = wanted("codegen");
    return key.replace(`-${target.os}-${target.arch}`, "");
}

function stamp(inputs) {
    const files = Object.values(generatedParts).flatMap(({ folder, generated }) =>
        generated.flatMap((name) => filesIn(join(repositoryRoot, folder, name))),
    );
    const outputs = hash(files.sort().map((file) => [relative(repositoryRoot, file), readFileSync(file)]));
    return `${JSON.stringify({ inputs, outputs }, null, 2)}\n`;
}

function filesIn(path) {
    if (!existsSync(path)) {
        return [];
    }
    if (statSync(path).isFile()) {
        return [path];
    }
    const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
    return entries
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .filter((file) => !compiledFiles.test(file));
}

function hash(parts) {
    const sum = createHash("sha256");
    for (const [name, content] of parts) {
        // Line endings depend on the checkout.
        const text = content.toString().replaceAll("\r\n", "\n");
        sum.update(`${name}\0${text.length}\0`).update(text);
    }
    return sum.digest("hex");
}
