import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/command";
import { newestCli, newestPulumi, oldestPulumi, tsconfig, writeProject } from "./folder";
import { expectLifeCycle, newUser, projectOf, type Host, type Language } from "./project";

interface Manager {
    readonly name: string;
    /** Its npm package; npm comes with Node. */
    readonly install?: string;
    /** Files in the folder of the project, or in the root of the workspace. */
    readonly files?: Readonly<Record<string, string>>;
}

interface Project {
    readonly manager: Manager;
    readonly language: Language;
    readonly isModule?: boolean;
    readonly node: number;
    readonly pulumi: string;
    /** The version of Pulumi's command line. By default, that of the tests. */
    readonly cli?: string;
    readonly packages?: Readonly<Record<string, string>>;
    /** The hosts on which the program runs. By default, the dynamic provider. */
    readonly hosts?: readonly Host[];
}

// pnpm asks for a decision on each build script, and protobufjs needs none.
const pnpmFile = "pnpm-workspace.yaml";
const builds = "allowBuilds:\n  protobufjs: false\n";

const npm: Manager = { name: "npm" };
const pnpm: Manager = { name: "pnpm", install: "pnpm@12.4.2", files: { [pnpmFile]: builds } };
const yarn1: Manager = { name: "yarn", install: "yarn@1.22.22" };
const yarn4: Manager = {
    name: "yarn",
    install: "@yarnpkg/cli-dist@4",
    // An empty lock file makes the folder a separate project.
    files: { "yarn.lock": "", ".yarnrc.yml": "nodeLinker: node-modules\n" },
};
const bun: Manager = { name: "bun", install: "bun@1" };

const typeScript = { typescript: "^5.9.3" };
const usual: Project = { manager: npm, language: "ts", node: 20, pulumi: oldestPulumi, packages: typeScript };

const versions = [20, 22, 24].flatMap((node) =>
    [oldestPulumi, newestPulumi].map((pulumi): [string, Project] => [
        `Node ${node}, @pulumi/pulumi ${pulumi}`,
        { ...usual, node, pulumi, hosts: ["dynamic", "plugin"] },
    ]),
);

/** A typical project with each tested combination of versions, and variations of its other properties. */
const projects = {
    ...Object.fromEntries(versions),
    "the oldest Pulumi": { ...usual, cli: oldestPulumi, hosts: ["dynamic", "plugin"] },
    "the newest Pulumi": { ...usual, node: 24, pulumi: newestPulumi, cli: newestCli, hosts: ["dynamic", "plugin"] },
    JavaScript: { ...usual, language: "commonjs", packages: {} },
    "JavaScript, ES modules": { ...usual, language: "module", isModule: true, packages: {} },
    // The ts-node of Pulumi cannot load ES modules.
    "TypeScript, ES modules": { ...usual, isModule: true, packages: { ...typeScript, "ts-node": "^10.9.2" } },
    "TypeScript, ES modules, without ts-node": { ...usual, isModule: true, node: 22 },
    "TypeScript, ES modules, the newest of all": { ...usual, node: 24, pulumi: newestPulumi, isModule: true },
    "TypeScript 6": { ...usual, node: 22, packages: { typescript: "^6.0.0" } },
    pnpm: { ...usual, manager: pnpm, node: 22 },
    // Without hoisting, a package finds only its own dependencies.
    "pnpm without hoisting": {
        ...usual,
        manager: { ...pnpm, files: { [pnpmFile]: `${builds}hoist: false\n` } },
        node: 22,
    },
    "yarn 1": { ...usual, manager: yarn1 },
    "yarn 4": { ...usual, manager: yarn4 },
    bun: { ...usual, manager: bun },
} satisfies Record<string, Project>;

test.each(Object.entries<Project>(projects))("a project creates and deletes resources: %s", async (_, project) => {
    const { manager, node, cli, language, hosts = ["dynamic"] } = project;
    const { folder, env } = await newUser(toolsOf(project), cli);
    const cwd = join(folder, "project");
    fill(cwd, project, manager.files);
    expect(await run("node", ["--version"], { cwd, env })).toMatch(new RegExp(`^v${node}\\.`));
    await run(manager.name, ["install"], { cwd, env });
    await expectLifeCycle(cwd, env, language, hosts);
});

/** Workspaces, and whether they install the packages of all projects in the root. */
const workspaces = {
    npm: { manager: npm, hoisted: true },
    pnpm: { manager: pnpm, hoisted: false },
    "pnpm, hoisted": {
        manager: { ...pnpm, files: { [pnpmFile]: `${builds}nodeLinker: hoisted\n` } },
        hoisted: true,
    },
    "yarn 1": { manager: yarn1, hoisted: true },
    "yarn 4": { manager: yarn4, hoisted: true },
    "yarn 4, isolated": {
        manager: {
            ...yarn4,
            files: { ...yarn4.files, ".yarnrc.yml": "nodeLinker: node-modules\nnmHoistingLimits: workspaces\n" },
        },
        hoisted: false,
    },
    bun: { manager: { ...bun, files: { "bunfig.toml": '[install]\nlinker = "hoisted"\n' } }, hoisted: true },
    "bun, isolated": {
        manager: { ...bun, files: { "bunfig.toml": '[install]\nlinker = "isolated"\n' } },
        hoisted: false,
    },
} satisfies Record<string, { manager: Manager; hoisted: boolean }>;

test.each(Object.entries<{ manager: Manager; hoisted: boolean }>(workspaces))(
    "a project in a workspace creates and deletes resources on both hosts: %s",
    async (_, { manager, hoisted }) => {
        const project: Project = { ...usual, manager, node: 22 };
        const { folder, env } = await newUser(toolsOf(project));
        const root = join(folder, "workspace");
        const cwd = join(root, "infrastructure");
        fill(cwd, project, {}, hoisted ? "../node_modules/pulumi-clouddb" : undefined);
        const rootFiles = {
            "package.json": JSON.stringify({ private: true, workspaces: ["infrastructure"] }),
            ...manager.files,
        };
        for (const [name, text] of Object.entries(rootFiles)) {
            writeFileSync(join(root, name), name === pnpmFile ? `packages: [infrastructure]\n${text}` : text);
        }
        await run(manager.name, ["install"], { cwd: root, env });
        const installed = [root, cwd].map((one) => existsSync(join(one, "node_modules", "pulumi-clouddb")));
        expect(installed).toEqual([hoisted, !hoisted]);
        await expectLifeCycle(cwd, env, "ts", ["dynamic", "plugin"]);
    },
);

const toolsOf = ({ node, manager: { install } }: Project): string[] => [
    `node@${node}`,
    ...(install === undefined ? [] : [install]),
];

/** Writes the files of a project. */
function fill(
    folder: string,
    { manager, language, isModule = false, node, pulumi, packages = {} }: Project,
    files: Readonly<Record<string, string>> = {},
    plugin?: string,
): void {
    const isTypeScript = language === "ts";
    writeProject(
        folder,
        {
            // In a workspace, bun ignores a project without a name, and yarn 1 one without a version.
            name: "infrastructure",
            version: "1.0.0",
            type: isModule ? "module" : "commonjs",
            dependencies: { "@pulumi/pulumi": pulumi },
            devDependencies: { ...packages, ...(isTypeScript ? { "@types/node": `^${node}.0.0` } : {}) },
        },
        {
            "Pulumi.yaml": projectOf(manager.name, plugin),
            ...(isTypeScript ? { "tsconfig.json": tsconfig } : {}),
            ...files,
        },
    );
}
