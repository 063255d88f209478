/** The software bill of materials: the packages that are bundled in the files of a release. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const read = (file) => readFileSync(join(repositoryRoot, file), "utf8");

/** A CycloneDX document as text. `epoch` is its time, in seconds. */
export function sbomOf(epoch) {
    const { name, version } = JSON.parse(read("package.json"));
    const installed = Object.entries(JSON.parse(read("package-lock.json")).packages);
    const components = bundledPackages(read("dist/third-party-licenses.txt")).map((bundled) => {
        const entry = installed.find(
            ([path, { version: of }]) => path.endsWith(`node_modules/${bundled.name}`) && of === bundled.version,
        );
        if (entry === undefined) {
            throw new ScriptError(`package-lock.json does not contain ${bundled.name} ${bundled.version}.`);
        }
        const [algorithm, hash] = entry[1].integrity.split(/-(.*)/);
        return {
            ...componentOf(bundled),
            hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
            licenses: [{ expression: bundled.license }],
        };
    });
    const timestamp = new Date(epoch * 1_000).toISOString();
    const metadata = { timestamp, component: componentOf({ name, version }) };
    const document = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata, components };
    return `${JSON.stringify(document, null, 2)}\n`;
}

function componentOf({ name, version }) {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return { type: "library", "bom-ref": purl, name, version, purl };
}

/** The packages whose licenses the build has collected. */
function bundledPackages(licenses) {
    const headings = `${"-".repeat(80)}\n\n${licenses}`.matchAll(/^-{80}\n\n(\S+) (\S+) \((.*)\)$/gm);
    return [...headings].map(([, name, version, license]) => ({ name, version, license }));
}
