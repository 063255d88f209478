import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, read, root, rowsIn } from "../../support/documents";

/** The tests that hold each promise of SECURITY.md, by words of the promise. */
const tests: Readonly<Record<string, readonly string[]>> = {
    // What counts as a vulnerability
    "A token, a password or a connection string appears": ["engine/secrets", "engine/passwordOutside", "unit/api/http"],
    "sends a token to another host": ["unit/api/http", "unit/api/settings"],
    "A run deletes or replaces a database": ["engine/protection", "unit/lifecycle/guard"],
    "accepts requests from other web pages": ["unit/emulator/page/page", "unit/emulator/options"],
    "reaches the data of an emulator": ["postgres/otherUsers"],
    "The published files differ": ["packaging/release"],
    // Threat model: who
    "pull request from a fork": ["unit/docs/workflowRules"],
    "the author of a branch": ["unit/docs/workflowRules", "unit/docs/workflowRuns"],
    "an install script": ["unit/docs/workflowRules"],
    "whoever names resources": ["unit/cli/planComment", "unit/cli/orphans", "unit/emulator/page/page"],
    "an address that redirects": ["unit/api/http", "unit/api/settings", "unit/api/answer"],
    "a web page in a browser": ["unit/emulator/page/page"],
    "another user of the computer": ["postgres/otherUsers"],
    "SQL in an emulated database": ["postgres/boundaries"],
    "a changed package": ["unit/docs/workflows", "packaging/release"],
    "a program that passes a secret": ["engine/secrets"],
    // What Pulumi leaves open
    "have no authentication": [],
    "options print passwords": ["engine/printedSecrets"],
    // Other users of the computer
    "Without PostgreSQL": ["unit/emulator/access"],
    "With PostgreSQL, another user needs": ["postgres/otherUsers"],
    "command line of a process": ["unit/emulator/command"],
    "Data, certificate, state file": ["postgres/otherUsers", "unit/emulator/dataFolder"],
    "the servers run as `nobody`": ["postgres/boundaries", "unit/emulator/dataFolder"],
    "Of the environment": ["postgres/boundaries", "postgres/otherUsers"],
    "The role of a service": ["postgres/boundaries", "postgres/otherUsers"],
};

const { items, rows } = {
    items: [...read("SECURITY.md").matchAll(/^- (.*)$/gm)].map(([, text = ""]) => text),
    rows: rowsIn(read("SECURITY.md#threat-model"))
        .slice(2)
        .map(([who = ""]) => who),
};

test("each promise of SECURITY.md has a test, and each test a promise", () => {
    const keysOf = (promise: string) => Object.keys(tests).filter((words) => promise.includes(words));
    const promises = [...items, ...rows];
    expect(promises.length).toBeGreaterThan(20);
    expect(promises.filter((promise) => keysOf(promise).length !== 1)).toEqual([]);
    expect(promises.flatMap(keysOf).sort()).toEqual(Object.keys(tests).sort());
    const files = Object.values(tests)
        .flat()
        .map((name) => `tests/${name}.test.ts`);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    // A sentence about Pulumi, of which this package promises nothing.
    expect(Object.keys(tests).filter((words) => tests[words]?.length === 0)).toEqual(["have no authentication"]);
});

test("SECURITY.md names assets and the two facts that Pulumi leaves open, and the page on secrets says the same", () => {
    expect(read("SECURITY.md#threat-model")).toMatch(/^What is worth an attack: /m);
    for (const page of ["SECURITY.md#what-pulumi-leaves-open", "docs/installation-configuration.md#secret-values"]) {
        expect(read(page)).toMatch(/\b(has one user)\b/);
        expect(read(page)).toMatch(/`onEvent`/);
    }
    expect(read("docs/installation-configuration.md")).not.toContain("Never in plain text");
});

test("the repository checks signatures, new packages and its own code outside of .ci/run, and has no badge", () => {
    const workflow = read(".github/workflows/security.yml");
    for (const part of ["npm audit signatures", "actions/dependency-review-action@", "github/codeql-action/analyze@"]) {
        expect(workflow).toContain(part);
        expect(read(".ci/run")).not.toContain(part.split("@")[0]);
    }
    expect(read("README.md")).not.toMatch(/badge/);
    const installing = filesBelow(".github/workflows", ".yml").flatMap((file) => read(file).match(/\bnpm ci.*/g) ?? []);
    expect(new Set(installing)).toEqual(new Set(["npm ci --ignore-scripts"]));
});
