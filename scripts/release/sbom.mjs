/** The software bill of materials: the packages that are bundled in the files of a release, and Node.js. */
import { read, readJson } from "../lib/files.mjs";
import { folderOf, licenses } from "../standalone/build.mjs";
import { runtimes, thisPlatform } from "../standalone/runtimes.mjs";

/** The first line of a package in the files with the licenses. */
const heading = /^(\S+) (\d+\.\d+\.\d+\S*) \((.+)\)$/;

/** A CycloneDX document as text. `epoch` is its time, in seconds. The package and the executables must be built. */
export function sbomOf(epoch) {
    const { name, version } = readJson("package.json");
    const texts = [read("dist/third-party-licenses.txt"), read(licenses, folderOf(thisPlatform))];
    const headings = new Set(texts.flatMap((text) => text.split("\n").filter((line) => heading.test(line))));
    const packages = [...headings].map(bundledPackage);
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

const installed = Object.entries(readJson("package-lock.json").packages);

function bundledPackage(line) {
    const [, name, version, license] = heading.exec(line);
    const [[, { integrity }]] = installed.filter(
        ([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version,
    );
    return { name, version, license, integrity };
}
