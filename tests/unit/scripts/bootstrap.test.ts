import { FakeClone, readyClone } from "./fakeClone";

describe("fresh clones", () => {
    it("a fresh clone is installed, then built, with a line for each step", async () => {
        const clone = new FakeClone();

        const { exitCode, stderr } = await clone.bootstrap();

        expect(exitCode).toBe(0);
        expect(clone.calls()).toEqual(["npm ci", "tsc -p"]);
        expect(stderr).toMatch(/^setup {3}packages {2}npm ci/m);
        expect(stderr).toMatch(/^setup {3}build {5}tsc and rolldown/m);
        expect(clone.has("dist/sdk/nodejs/index.js")).toBe(true);
        expect(clone.has("dist/.lock")).toBe(false);
    });

    it("a fresh clone is installed and built once by two concurrent processes", async () => {
        const clone = new FakeClone();

        const ends = await Promise.all([clone.bootstrap(), clone.bootstrap()]);

        expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
        expect(clone.calls()).toEqual(["npm ci", "tsc -p"]);
    });

    it("a fresh clone is not built if npm fails, and the exit code is that of npm", async () => {
        const clone = new FakeClone();
        clone.env.NPM_FAILS = "1";

        const { exitCode, stderr } = await clone.bootstrap();

        expect(exitCode).toBe(7);
        expect(stderr).toContain("error: npm ci failed with exit code 7");
        expect(clone.calls()).toEqual(["npm ci"]);
    });
});

describe("built clones", () => {
    it("a built clone stays unchanged, without output", async () => {
        const clone = await readyClone();

        expect(await clone.bootstrap()).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
        expect(clone.calls()).toEqual([]);
    });

    it("a built clone is installed again if the lock file requires another version", async () => {
        const clone = await readyClone();
        clone.lock({ a: "1.1.0" });

        await clone.bootstrap();
        expect(clone.calls()).toEqual(["npm ci", "tsc -p"]);
    });

    it("a built clone is built again if a source changes, without files of the earlier build", async () => {
        const clone = await readyClone();
        clone.write("dist/shared/old.js", "old");
        clone.write("sdk/nodejs/index.ts", "changed");

        await clone.bootstrap();
        expect(clone.calls()).toEqual(["tsc -p"]);
        expect(clone.has("dist/shared/old.js")).toBe(false);
        expect(clone.read("dist/sdk/nodejs/index.js")).toBe("changed");
        expect(await clone.bootstrap()).toMatchObject({ stderr: "" });
    });

    it("a built clone keeps its last build if the sources do not compile, and builds again in the next run", async () => {
        const clone = await readyClone();
        clone.write("sdk/nodejs/index.ts", "ERROR");

        const { exitCode, stderr } = await clone.bootstrap();

        expect(exitCode).toBe(2);
        expect(stderr).toContain("sdk/nodejs/index.ts: that is wrong\nerror: The sources do not compile");
        expect(clone.read("dist/sdk/nodejs/index.js")).toBe("one");
        expect(await clone.bootstrap()).toMatchObject({ exitCode: 2 });
    });
});

it("the error of an older Node contains the required version and the download page", async () => {
    const message = await new FakeClone().evaluate(`
        const { requireNode } = await load("lib/repository.mjs");
        requireNode("20.19.0");
        requireNode("22.0.0");
        try { requireNode("20.9.1"); } catch (error) { return error.message; }`);

    expect(message).toBe("Node 20.19 or newer is required, but this is 20.9.1. Install it from https://nodejs.org/.");
});
