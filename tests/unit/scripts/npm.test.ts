import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newFolder } from "../../support/folder";
import { evaluate } from "../../support/scripts";

const commandFor = (env: Record<string, string>, node: string) =>
    evaluate(
        `const { npmCommand } = await load("lib/npm.mjs");
        return npmCommand(${JSON.stringify(env)}, ${JSON.stringify(node)});`,
    );

const fileIn = (folder: string, ...path: string[]): string => {
    const file = join(folder, ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    return file;
};

it("npm starts without a shell, which npm.cmd of Windows needs", async () => {
    const folder = newFolder();
    const node = join(folder, "node");
    const own = fileIn(folder, "elsewhere", "npm-cli.js");
    const pnpm = fileIn(folder, "elsewhere", "pnpm.cjs");
    expect(await commandFor({}, node)).toEqual(["npm"]);
    expect(await commandFor({ npm_execpath: pnpm }, node)).toEqual(["npm"]);
    expect(await commandFor({ npm_execpath: own }, node)).toEqual([node, own]);
    const beside = fileIn(folder, "node_modules", "npm", "bin", "npm-cli.js");
    expect(await commandFor({ npm_execpath: pnpm }, node)).toEqual([node, beside]);
});
