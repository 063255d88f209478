/** Generates the SDKs of other languages from the schema. */
import { createHash } from "node:crypto";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { wanted } from "../engine/modules.mjs";
import { ensureTool } from "../engine/setup.mjs";
import { filesBelow, inNewFolder, read, readJson } from "../lib/files.mjs";
import { repositoryRoot } from "../lib/repository.mjs";
import { goText, propertyNames, pythonDeclarations, pythonText } from "./words.mjs";

const schemaFile = "provider/hosts/native/schema.gen.json";
/** The generated files and folders below `sdk/python` and `sdk/go`. Other files there are hand-written. */
const generatedParts = {
    python: [".gitattributes", ".gitignore", "pyproject.toml", "pulumi_clouddb"],
    go: [".gitattributes", "clouddb"],
};
const languages = Object.keys(generatedParts);
/**
 * A hash of the inputs and outputs of the last generation. It allows a check on a machine without Go, because the generator is
 * deterministic.
 */
const stampPath = "sdk/generated.json";
const compiledFiles = /(^|\/)__pycache__\/|\.pyc$/;

/** Generates the SDKs if they are stale. With --check it only reports that, and returns 1. */
export async function generateSdks(args) {
    if (read(stampPath) === stamp()) {
        return 0;
    }
    const folders = languages.map((language) => `sdk/${language}`).join(", ");
    if (args.includes("--check")) {
        process.stderr.write(`Stale: ${folders}. Run: npm run generate\n`);
        return 1;
    }
    await inNewFolder(generateIn);
    writeFileSync(join(repositoryRoot, stampPath), stamp());
    process.stdout.write(`Wrote ${folders}.\n`);
    return 0;
}

/** Generates the SDKs in a folder, and copies them. */
async function generateIn(stage) {
    const { bin } = await ensureTool("codegen");
    const targets = languages.map((language) => `${language}=${join(stage, language)}`);
    const program = join(bin, "pulumi-clouddb-languages");
    await execa(program, ["sdk", join(repositoryRoot, schemaFile), ...targets]);
    const names = propertyNames(readJson(schemaFile));
    rewrite(join(stage, "python", "pulumi_clouddb"), /\.py$/, (text) => pythonText(text, names));
    rewrite(join(stage, "python", "pulumi_clouddb"), /\.pyi$/, (text) => pythonDeclarations(text, names));
    rewrite(join(stage, "go", "clouddb"), /\.go$/, (text) => goText(text, names));
    rewrite(join(stage, "python"), /^pyproject\.toml$/, withPlainBackend);
    for (const [language, parts] of Object.entries(generatedParts)) {
        for (const part of parts) {
            const target = join(repositoryRoot, "sdk", language, part);
            rmSync(target, { recursive: true, force: true });
            cpSync(join(stage, language, part), target, { recursive: true });
        }
    }
}

/** Rewrites the files of a folder whose paths match. */
function rewrite(folder, paths, change) {
    for (const file of filesBelow(folder).filter((one) => paths.test(one))) {
        writeFileSync(join(folder, file), change(read(file, folder)));
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

/** The modules and sources of the generator: the part of its cache key that does not depend on the machine. */
function generator() {
    const { key, target } = wanted("codegen");
    return key.replace(`-${target.os}-${target.arch}`, "");
}

function stamp() {
    const files = languages.flatMap((language) =>
        filesBelow(join(repositoryRoot, "sdk", language))
            .filter((file) => generatedParts[language].includes(file.split("/")[0]) && !compiledFiles.test(file))
            .map((file) => `sdk/${language}/${file}`),
    );
    const sum = createHash("sha256").update(generator());
    for (const file of [schemaFile, ...files].sort()) {
        // Line endings depend on the checkout.
        const text = read(file).replaceAll("\r\n", "\n");
        sum.update(`${file}\0${text.length}\0`).update(text);
    }
    return `${JSON.stringify({ sha256: sum.digest("hex") }, null, 2)}\n`;
}
