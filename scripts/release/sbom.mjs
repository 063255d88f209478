/** The software bill of materials: the packages that are bundled in the files of a release, and Node.js. */
import { read, readJson } from "../lib/files.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { folderOf, licenses } from "../standalone/build.mjs";
import { runtimes, thisPlatform } from "../standalone/runtimes.mjs";

/** A CycloneDX document as text. `epoch` is its time, in seconds. The package and the executables must be built. */
export function sbomOf(epoch) {
    const { name, version } = readJson("package.json");
    const installed = Object.entries(readJson("package-lock.json").packages);
    const licensesOfFile = read(licenses, folderOf(thisPlatform));
    const inBoth = [read("dist/third-party-licenses.txt"), licensesOfFile].flatMap(bundledPackages);
    const bundled = new Map(inBoth.map((one) => [`${one.name} ${one.version}`, one]));
    const packages = [...bundled.values()].map((one) => {
        const entry = installed.find(
            ([path, { version: of }]) => path.endsWith(`node_modules/${one.name}`) && of === one.version,
        );
        if (entry === undefined) {
            throw new ScriptError(`package-lock.json does not contain ${one.name} ${one.version}.`);
        }
        return { ...one, integrity: entry[1].integrity };
    });
    const components = [...packages, ...runtimes.values()].map((one) => {
        const [algorithm, hash] = one.integrity.split(/-(.*)/);
        return {
            ...componentOf(one),
            hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") }],
            licenses: [{ expression: one.license }],
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
function bundledPackages(text) {
    const headings = `${"-".repeat(80)}\n\n${text}`.matchAll(/^-{80}\n\n(\S+) (\S+) \((.*)\)$/gm);
    return [...headings].map(([, name, version, license]) => ({ name, version, license }));
}
