import schedule from "node-releases/data/release-schedule/release-schedule.json";
import lock from "../../../scripts/standalone/package-lock.json";
import { optionalDependencies } from "../../../scripts/standalone/package.json";
import { read } from "../../support/documents";

// The runtimes of the single executable.

const versions = [...new Set(Object.values(optionalDependencies))];
const [version = ""] = versions;
const majorOf = (text: string) => `v${text.split(".")[0]}`;

test("each platform has the same version of Node.js", () => {
    expect(Object.keys(optionalDependencies)).toHaveLength(5);
    expect(versions).toEqual([version]);
});

test("this version of Node.js is supported", () => {
    const releases: Readonly<Record<string, { end: string } | undefined>> = schedule;
    expect(Date.parse(releases[majorOf(version)]?.end ?? "")).toBeGreaterThan(Date.now());
});

test("the lock file has this version with its hash, and package-lock.json of the repository has no runtime", () => {
    const runtimes = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
    expect(Object.keys(lock.packages)).toEqual(["", ...runtimes]);
    const packages: Readonly<Record<string, object>> = lock.packages;
    for (const path of runtimes) {
        expect(packages[path]).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) as string });
    }
    const all = Object.keys((JSON.parse(read("package-lock.json")) as { packages: object }).packages);
    expect(all.filter((path) => runtimes.includes(path))).toEqual([]);
});
