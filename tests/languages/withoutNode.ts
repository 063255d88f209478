import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { newFolder } from "../support/folder";
import { pathWith, type Language } from "./language";
import { generatorFolder } from "./tools";

// What a user has who has not installed Node.js: a small set of programs, and the archive of the plugin.

const coreutils =
    "bash sh env cat cp cut date dirname expr git grep head id kill ln ls mkdir mktemp mv ps pwd readlink rm sed sleep tail touch tr uname";
const programs: Readonly<Record<Language, string>> = {
    yaml: "",
    python: "python3",
    // The compiler of C, because what is compiled already depends on it.
    go: "go gcc",
    java: "java javac mvn which",
};

/** A PATH with Pulumi, what can generate and run a program in this language, the shell, coreutils and curl. */
export function pathWithoutNode(language: Language): string | undefined {
    const [generator, host] = [generatorFolder(), pathWith(language)?.split(delimiter)[0]];
    if (generator === undefined || host === undefined) {
        return undefined;
    }
    const folder = newFolder();
    for (const name of `pulumi curl ${coreutils} ${programs[language]}`.trim().split(" ")) {
        symlinkSync(name === "python3" ? realPython() : onPath(name), join(folder, name));
    }
    return [generator, host, folder].join(delimiter);
}

function onPath(name: string): string {
    const folder = (process.env.PATH ?? "").split(delimiter).find((one) => existsSync(join(one, name)));
    if (folder === undefined) {
        throw new Error(`There is no ${name} on PATH.`);
    }
    return join(folder, name);
}

/** The one on PATH may be a script that starts another one. */
const realPython = (): string =>
    execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();

/** The environment of a new user with this PATH, whose home is an empty folder. */
export function newUser(path: string): NodeJS.ProcessEnv {
    const home = join(newFolder(), "home");
    mkdirSync(home);
    return {
        PATH: path,
        HOME: home,
        PULUMI_HOME: join(home, ".pulumi"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_SKIP_CONFIRMATIONS: "true",
        NO_PROXY: "127.0.0.1,localhost",
        // The compiler of the JVM costs more time than it saves.
        MAVEN_OPTS: "-XX:TieredStopAtLevel=1",
    };
}
