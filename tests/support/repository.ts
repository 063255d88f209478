import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./documents";
import { newFolder } from "./folder";

/** A copy of the working tree of this repository, in which commands can change files. */
export class RepositoryCopy {
    readonly folder = newFolder();

    constructor() {
        const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
        for (const file of files.toString().split("\0").filter(Boolean)) {
            mkdirSync(dirname(join(this.folder, file)), { recursive: true });
            cpSync(join(root, file), join(this.folder, file));
        }
        cpSync(join(root, "dist"), join(this.folder, "dist"), { recursive: true });
        this.installed();
        this.git("init", "--quiet");
        this.commit();
    }

    changes(): string {
        return this.git("status", "--porcelain");
    }

    restore(): void {
        this.git("reset", "--quiet", "--hard");
        this.git("clean", "--quiet", "--force", "-d");
    }

    commit(): void {
        this.git("add", "--all");
        this.git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message", "All");
    }

    /** Packages are not copied, but links into the repository are replaced by links into the copy. */
    private installed(): void {
        const [from, to] = [join(root, "node_modules"), join(this.folder, "node_modules")];
        mkdirSync(to);
        for (const name of readdirSync(from)) {
            const own = name.startsWith(".") || lstatSync(join(from, name)).isSymbolicLink();
            if (own) {
                cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
            } else {
                symlinkSync(join(from, name), join(to, name));
            }
        }
    }

    private git(...args: string[]): string {
        return execFileSync("git", args, { cwd: this.folder }).toString();
    }
}
