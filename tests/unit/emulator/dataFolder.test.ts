import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../../emulator/postgres/folders";
import { readInside, removeTree } from "../../../emulator/postgres/inside";
import { newFolder } from "../../support/folder";

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const refusal = /another user or by an earlier version.*rm -r /;
/** Of root's servers, and of another user of the computer. */
const [servers, stranger] = [65_534, 1];

let stateFile: string;
let path: string;

beforeEach(() => {
    const folder = newFolder();
    fs.chmodSync(folder, 0o711);
    stateFile = join(folder, "state.json");
    path = `${stateFile}.postgres`;
});

/** The data folder of a start that was complete. */
function made(files: readonly string[], uid?: number): void {
    fs.mkdirSync(join(path, "template"), { recursive: true, mode: 0o700 });
    for (const file of [...files, "owner", "ca.pem", "server.key", "template/PG_VERSION"]) {
        fs.writeFileSync(join(path, file), "18", { mode: 0o600 });
    }
    if (uid !== undefined) {
        fs.chownSync(path, uid, uid);
    }
}

it("a data folder of this version is used again, and one of f75e6e85 is refused until it is removed", () => {
    made(["secret"]);
    expect(dataFolder(stateFile, {})).toBe(path);
    fs.rmSync(path, { recursive: true });

    made(["superuser"]);
    expect(() => dataFolder(stateFile, {})).toThrow(refusal);
    fs.rmSync(path, { recursive: true });
    expect(dataFolder(stateFile, {})).toBe(path);
    expect(fs.statSync(path).mode & 0o777).toBe(0o700);
});

it("a data folder in which others may write is refused", () => {
    made(["secret"]);
    fs.chmodSync(path, 0o777);
    expect(() => dataFolder(stateFile, {})).toThrow(refusal);
});

asRoot(
    "a data folder that root's servers or another user own is refused, and a link only followed if all of it is root's",
    () => {
        for (const uid of [servers, stranger]) {
            made(["secret"], uid);
            expect(() => dataFolder(stateFile, { uid: servers, gid: servers })).toThrow(refusal);
            fs.rmSync(path, { recursive: true });
        }
        const target = newFolder();
        fs.symlinkSync(target, path);
        expect(dataFolder(stateFile, { uid: servers, gid: servers })).toBe(target);
        fs.chownSync(target, stranger, stranger);
        expect(() => dataFolder(stateFile, {})).toThrow(refusal);
        fs.chownSync(target, 0, 0);
        fs.lchownSync(path, stranger, stranger);
        expect(() => dataFolder(stateFile, {})).toThrow(refusal);
        fs.rmSync(path);
        expect(fs.statSync(dataFolder(stateFile, { uid: servers, gid: servers }))).toMatchObject({
            uid: 0,
            mode: 0o40711,
        });
    },
);

asRoot(
    "root reads and removes nothing to which a link in the folder of a server leads, and waits for no pipe",
    async () => {
        const kept = newFolder();
        fs.writeFileSync(join(kept, "file"), "of root", { mode: 0o600 });
        const folder = join(newFolder(), "server");
        fs.mkdirSync(join(folder, "inner"), { recursive: true });
        fs.symlinkSync(join(kept, "file"), join(folder, "link"));
        fs.symlinkSync(kept, join(folder, "inner", "linked"));
        execFileSync("mkfifo", [join(folder, "pipe")]);
        fs.writeFileSync(join(folder, "own"), "of the server");
        execFileSync("chown", ["-hR", `${servers}:${servers}`, folder]);
        const user = { uid: servers, gid: servers };
        const read = ["link", "inner/linked/file", "pipe", "inner", "own"].map((name) =>
            readInside(user, join(folder, name)),
        );
        expect(read).toEqual(["", "", "", "", "of the server"]);
        // Its folder cannot be reached by that user, so nothing is removed by it, and root does not remove it instead.
        await expect(removeTree(folder)).rejects.toThrow(/directory/);
        fs.chmodSync(join(folder, ".."), 0o711);
        await removeTree(folder);
        expect([fs.existsSync(folder), fs.readdirSync(kept)]).toEqual([false, ["file"]]);
    },
);
