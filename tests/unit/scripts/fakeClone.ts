import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../support/folder";
import { startNode, type Ended } from "../../support/child";

const repository = join(__dirname, "..", "..", "..");

/** A clone that is installed and built, with an empty list of calls. */
export async function readyClone(): Promise<FakeClone> {
    const clone = new FakeClone();
    await clone.bootstrap();
    rmSync(join(clone.root, "calls"));
    return clone;
}

/** A clone with the real scripts, a few sample sources, and fakes of npm, the compiler and the bundler. */
export class FakeClone {
    readonly folder = newFolder();
    readonly root = join(this.folder, "clone");
    readonly env: Record<string, string> = {
        PATH: `${join(this.root, "fake")}:${process.env.PATH ?? ""}`,
        CALLS: join(this.root, "calls"),
    };

    constructor() {
        // Node searches here for modules that are missing in the clone.
        symlinkSync(join(repository, "node_modules"), join(this.folder, "node_modules"));
        cpSync(join(repository, "scripts"), join(this.root, "scripts"), { recursive: true });
        const exports = { ".": { types: "./dist/sdk/nodejs/index.d.ts", default: "./dist/sdk/nodejs/index.js" } };
        const bin = { "clouddb-emulator": "dist/emulator/cli.js" };
        this.write("package.json", JSON.stringify({ engines: { node: ">=20.19" }, exports, bin }));
        this.lock({ a: "1.0.0" });
        for (const file of ["tsconfig.json", "tsconfig.build.json"]) {
            this.write(file, "{}");
        }
        for (const name of ["sleepers", "virtualClock"]) {
            this.write(`tests/support/${name}.ts`, "clock");
        }
        this.write("sdk/nodejs/index.ts", "one");
        this.write("emulator/cli.ts", "two");
        this.write("plugin/main.ts", "three");
        for (const file of ["main.ts", "index.html", "style.css", "icon.svg"]) {
            this.write(`emulator/page/browser/${file}`, file);
        }
        this.write("fake/npm", fakeNpm);
        chmodSync(join(this.root, "fake", "npm"), 0o755);
        this.write("fake/tsc", fakeTsc);
        this.write("fake/rolldown.js", fakeRolldown);
    }

    write(file: string, content: string): void {
        const path = join(this.root, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
    }

    /** Uses the emulator of this repository, which is built before the tests. */
    useEmulator(): void {
        const file = "dist/emulator/cli.js";
        this.write(file, `require(${JSON.stringify(join(repository, file))});`);
    }

    read(file: string): string {
        return readFileSync(join(this.root, file), "utf8");
    }

    has(file: string): boolean {
        return existsSync(join(this.root, file));
    }

    /** Writes package-lock.json with these versions by name. */
    lock(versions: Record<string, string>): void {
        const entries = Object.entries(versions).map(
            ([name, version]) => [`node_modules/${name}`, { version }] as const,
        );
        const packages = { "": {}, ...(Object.fromEntries(entries) as object) };
        this.write("package-lock.json", JSON.stringify({ packages }));
    }

    /** The calls of npm and the compiler so far. */
    calls(): string[] {
        return this.has("calls") ? this.read("calls").trim().split("\n") : [];
    }

    bootstrap(): Promise<Ended> {
        return this.run([join(this.root, "scripts", "bootstrap.mjs")]);
    }

    runScript(name: string, args: string[] = []): Promise<Ended> {
        return this.run([join(this.root, "scripts", "run.mjs"), name, ...args]);
    }

    /** Runs statements and returns their result. They can use `load`, which imports a module below scripts/. */
    async evaluate(statements: string): Promise<unknown> {
        const scripts = JSON.stringify(join(this.root, "scripts"));
        const source =
            `const load = (name) => import(${scripts} + "/" + name);\n` +
            `const result = await (async () => { ${statements} })();\n` +
            "console.log(JSON.stringify(result ?? null));";
        const { stdout, stderr } = await this.run(["--input-type=module", "--eval", source]);
        if (stdout === "") {
            throw new Error(stderr);
        }
        return JSON.parse(stdout);
    }

    private run(args: string[]): Promise<Ended> {
        return startNode(args, this.root, this.env).ended;
    }
}

const recordCall = `const fs = require("node:fs"), path = require("node:path");
const called = path.basename(__filename) + " " + process.argv[2];
fs.appendFileSync(process.env.CALLS, called + "\\n");
`;

const fakeNpm = `#!/usr/bin/env node
${recordCall}
if (process.env.NPM_FAILS) process.exit(7);
fs.rmSync("node_modules", { recursive: true, force: true });
fs.mkdirSync("node_modules/typescript/bin", { recursive: true });
fs.copyFileSync("fake/tsc", "node_modules/typescript/bin/tsc");
for (const name of ["rolldown", "rolldown-plugin-dts"]) {
    fs.mkdirSync("node_modules/" + name);
    fs.copyFileSync("fake/rolldown.js", "node_modules/" + name + "/index.js");
}
const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
const here = Object.entries(packages).filter(([name, { optional }]) => name !== "" && !optional);
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(here) }));
`;

/** Like the real compiler, it trusts its build info and does not check its outputs. */
const fakeTsc = `${recordCall}
if (fs.readdirSync("sdk/nodejs").some((name) => fs.readFileSync("sdk/nodejs/" + name, "utf8").includes("ERROR"))) {
    console.log("sdk/nodejs/index.ts: that is wrong");
    process.exit(2);
}
const info = process.argv[process.argv.indexOf("--tsBuildInfoFile") + 1];
const known = fs.existsSync(info) ? JSON.parse(fs.readFileSync(info, "utf8")) : {};
for (const folder of ["sdk/nodejs", "emulator"]) {
    for (const name of fs.readdirSync(folder).filter((one) => one.endsWith(".ts"))) {
        const source = folder + "/" + name;
        const text = fs.readFileSync(source, "utf8");
        if (known[source] === text) continue;
        known[source] = text;
        const output = "dist/.build/" + source.replace(/[.]ts$/, "");
        fs.mkdirSync(path.dirname(output), { recursive: true });
        for (const ending of [".js", ".d.ts"]) fs.writeFileSync(output + ending, text);
    }
}
fs.writeFileSync(info, JSON.stringify(known));
`;

/** Copies each entry point. */
const fakeRolldown = `
const fs = require("node:fs"), path = require("node:path");
exports.dts = () => undefined;
exports.rolldown = async ({ input }) => ({
    write: async ({ dir, file }) => {
        const outputs = file
            ? [[file, input]]
            : Object.entries(input).map(([name, source]) => [
                  path.join(dir, name + (source.endsWith(".d.ts") ? ".d.ts" : ".js")),
                  source,
              ]);
        return {
            output: outputs.map(([output, source]) => {
                fs.mkdirSync(path.dirname(output), { recursive: true });
                fs.copyFileSync(source, output);
                return { fileName: path.relative(dir ?? path.dirname(file), output) };
            }),
        };
    },
    close: async () => undefined,
});
`;
