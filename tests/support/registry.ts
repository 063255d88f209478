import { execFileSync, spawn } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./documents";
import { json, serve } from "./loopback";

interface Package {
    readonly manifest: { readonly name: string; readonly version: string };
    /** The folder of the installed package, or the file of the packed package. */
    readonly at: string;
}

/** Packs the package of this repository into a file in the folder. Returns the file, and the paths of the files in it. */
export function pack(folder: string): { file: string; files: string[] } {
    // Windows does not start npm.cmd without a shell.
    const { npm_execpath: npm } = process.env;
    const [program, ...first] = npm === undefined ? ["npm"] : [process.execPath, npm];
    const args = [...first, "pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
    const [packed] = Object.values(
        JSON.parse(execFileSync(program, args, { cwd: root }).toString()) as Record<
            string,
            { filename: string; files: { path: string }[] }
        >,
    );
    return { file: join(folder, packed?.filename ?? ""), files: (packed?.files ?? []).map(({ path }) => path) };
}

/** All installed packages, each version once. */
function installed(): Package[] {
    const { packages } = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8")) as {
        packages: Record<string, { link?: boolean }>;
    };
    return Object.entries(packages)
        .filter(([path, { link }]) => path.startsWith("node_modules/") && !link)
        .map(([path]) => ({ manifest: manifestOf(join(root, path)), at: join(root, path) }));
}

const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package["manifest"];

/** Starts an npm registry on 127.0.0.1 with this packed package, and all installed packages. Returns its URL. */
export async function startRegistry(file: string): Promise<string> {
    const byName = new Map<string, Map<string, Package>>();
    for (const one of [...installed(), { manifest: manifestOf(root), at: file }]) {
        const { name, version } = one.manifest;
        byName.set(name, (byName.get(name) ?? new Map<string, Package>()).set(version, one));
    }
    const { host } = await serve((response, { url }) => {
        const [name = "", version] = decodeURIComponent(url.slice(1)).split("/-/");
        const versions = byName.get(name);
        const one = versions?.get(version ?? "");
        if (one !== undefined) {
            (one.at.endsWith(".tgz") ? createReadStream(one.at) : packOf(one.at)).pipe(response);
        } else if (versions !== undefined && version === undefined) {
            const described = [...versions].map(([number, { manifest }]) => {
                const dist = { tarball: `http://${host}/${name}/-/${number}` };
                return [number, { ...manifest, dist }] as const;
            });
            const latest = [...versions.keys()].at(-1);
            json(response, 200, { name, "dist-tags": { latest }, versions: Object.fromEntries(described) });
        } else {
            json(response, 404, { error: "not found" });
        }
    });
    return `http://${host}`;
}

/** The files of an installed package, without those of packages that are installed in it. */
function packOf(folder: string) {
    const name = basename(folder);
    return spawn("tar", ["-cf", "-", "-C", dirname(folder), `--exclude=${name}/node_modules`, name]).stdout;
}
