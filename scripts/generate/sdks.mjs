/** Generates the SDKs of other languages from the schema. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { wanted } from "../engine/modules.mjs";
import { ensureTool } from "../engine/setup.mjs";
import { filesBelow, inNewFolder, read, readJson } from "../lib/files.mjs";
import { repositoryRoot } from "../lib/repository.mjs";
import { goText, propertyNames, pythonText } from "./words.mjs";

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
        [schemaFile, read(schemaFile)],
        ["generator", generator()],
    ]);
    if (existsSync(join(repositoryRoot, stampPath)) && read(stampPath) === stamp(inputs)) {
        return 0;
    }
    const names = Object.values(generatedParts).map(({ folder }) => folder);
    if (args.includes("--check")) {
        process.stderr.write(`Stale: ${names.join(", ")}. Run: npm run generate\n`);
        return 1;
    }
    await inNewFolder(generateIn);
    writeFileSync(join(repositoryRoot, stampPath), stamp(inputs));
    process.stdout.write(`Wrote ${names.join(", ")}.\n`);
    return 0;
}

/** Generates the SDKs in a folder, and copies them. */
async function generateIn(stage) {
    const { bin } = await ensureTool("codegen");
    const targets = Object.keys(generatedParts).map((language) => `${language}=${join(stage, language)}`);
    const program = join(bin, "pulumi-clouddb-languages");
    await execa(program, ["sdk", join(repositoryRoot, schemaFile), ...targets]);
    const names = propertyNames(readJson(schemaFile));
    rewrite(join(stage, "python", "pulumi_clouddb"), /\.py$/, (text) => pythonText(text, names));
    rewrite(join(stage, "go", "clouddb"), /\.go$/, (text) => goText(text, names));
    rewrite(join(stage, "python"), /^pyproject\.toml$/, withPlainBackend);
    for (const [language, { folder, generated }] of Object.entries(generatedParts)) {
        for (const name of generated) {
            rmSync(join(repositoryRoot, folder, name), { recursive: true, force: true });
            cpSync(join(stage, language, name), join(repositoryRoot, folder, name), { recursive: true });
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

/** Its modules and sources: the part of the cache key that does not depend on the machine. */
function generator() {
    const { key, target } = wanted("codegen");
    return key.replace(`-${target.os}-${target.arch}`, "");
}

function stamp(inputs) {
    const files = Object.values(generatedParts).flatMap(({ folder, generated }) =>
        filesBelow(join(repositoryRoot, folder))
            .filter((file) => generated.includes(file.split("/")[0]) && !compiledFiles.test(file))
            .map((file) => `${folder}/${file}`),
    );
    const outputs = hash(files.sort().map((file) => [file, read(file)]));
    return `${JSON.stringify({ inputs, outputs }, null, 2)}\n`;
}

function hash(parts) {
    const sum = createHash("sha256");
    for (const [name, content] of parts) {
        // Line endings depend on the checkout.
        const text = content.replaceAll("\r\n", "\n");
        sum.update(`${name}\0${text.length}\0`).update(text);
    }
    return sum.digest("hex");
}
