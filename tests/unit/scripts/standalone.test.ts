import schedule from "node-releases/data/release-schedule/release-schedule.json";
import { optionalDependencies } from "../../../scripts/standalone/package.json";

test("each platform has the same version of Node.js, which is supported", () => {
    const versions = new Set(Object.values(optionalDependencies));
    expect(versions.size).toBe(1);
    const releases: Readonly<Record<string, { end: string } | undefined>> = schedule;
    const [major = ""] = [...versions].map((version) => `v${version.split(".")[0]}`);
    expect(Date.parse(releases[major]?.end ?? "")).toBeGreaterThan(Date.now());
});
