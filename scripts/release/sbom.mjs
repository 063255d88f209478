/** The software bill of materials: the packages that are bundled in the files of a release. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const readJson = (file) => JSON.parse(readFileSync(join(repositoryRoot, file), "utf8"));
const keyOf = ({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`;

/** A CycloneDX document as text. `epoch` is its time, in seconds. */
export async function sbomOf(epoch) {
    const bundled = bundledPackages(readFileSync(join(repositoryRoot, "dist", "third-party-licenses.txt"), "utf8"));
    const all = await describe();
    const components = all.components.filter((component) => bundled.has(keyOf(component)));
    const missing = [...bundled].filter((key) => !components.some((component) => keyOf(component) === key));
    if (missing.length > 0) {
        throw new ScriptError(`package-lock.json does not contain these bundled packages: ${missing.join(", ")}.`);
    }
    const root = all.metadata.component["bom-ref"];
    const refs = new Set([root, ...components.map((component) => component["bom-ref"])]);
    const dependencies = all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)).sort() }));
    const metadata = { ...all.metadata, timestamp: new Date(epoch * 1_000).toISOString() };
    // npm's own serial number is random.
    const content = { ...all, serialNumber: undefined, metadata, components, dependencies };
    return `${JSON.stringify({ ...content, serialNumber: serialNumberOf(content) }, null, 2)}\n`;
}

/** The packages whose licenses the build has collected, as `name@version`. */
export function bundledPackages(licenses) {
    const headings = [...`${"-".repeat(80)}\n\n${licenses}`.matchAll(/^-{80}\n\n(\S+) (\S+) \(.*\)$/gm)];
    return new Set(headings.map(([, name, version]) => `${name}@${version}`));
}

/** npm's own document of all packages in package-lock.json. npm cannot describe the examples, which have no versions. */
async function describe() {
    const { name, version, license, devDependencies: dependencies } = readJson("package.json");
    const lock = readJson("package-lock.json");
    const root = { name, version, license, dependencies };
    const packages = Object.fromEntries(
        Object.entries(lock.packages)
            .filter(([path, { link }]) => path.startsWith("node_modules/") && !link)
            // A bundled package is neither optional nor for development.
            .map(([path, entry]) => [path, { ...entry, dev: false, optional: false, devOptional: false }]),
    );
    const above = mkdtempSync(join(tmpdir(), "clouddb-sbom-"));
    // npm names the document after the folder.
    const folder = join(above, name);
    try {
        mkdirSync(folder);
        const write = (file, value) => writeFileSync(join(folder, file), JSON.stringify(value));
        write("package.json", root);
        write("package-lock.json", { ...lock, packages: { "": root, ...packages } });
        const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "library"];
        const { stdout } = await execa("npm", args, { cwd: folder });
        return JSON.parse(stdout);
    } finally {
        rmSync(above, { recursive: true, force: true });
    }
}

/** A UUID that depends only on the content. */
function serialNumberOf(content) {
    const hash = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
    return `urn:uuid:${[...parts, hash.slice(20, 32)].join("-")}`;
}
