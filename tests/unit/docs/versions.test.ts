import { newestCli, oldestPulumi } from "../../packaging/folder";
import { pages, read } from "../../support/documents";

// The peer dependency of package.json is the oldest version of Pulumi, for its SDK and its command line. tests/packaging runs a
// project with it and with the newest one.

const [, engine = ""] =
    /^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)$/m.exec(read("scripts/engine/cli/go.mod")) ?? [];

test("each page that names the oldest version of Pulumi names that of package.json", () => {
    const named = pages.flatMap((page) =>
        [...read(page).matchAll(/\[Pulumi\]\(\S+\) (\d+\.\d+) or newer/g)].map(
            ([, version]) => [page, version] as const,
        ),
    );
    expect(named.map(([page]) => page)).toEqual(expect.arrayContaining(["README.md", "docs/languages.md"]));
    expect(named.filter(([, version]) => `${version ?? ""}.0` !== oldestPulumi)).toEqual([]);
});

test("the list of what is tested names the versions of the tests", () => {
    expect(read("docs/installation-configuration.md#versions-and-support")).toContain(
        `Pulumi ${oldestPulumi}, ${engine} and ${newestCli}`,
    );
});
