import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

afterAll(() => {
    for (const folder of folders.splice(0)) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
});

/** A folder outside of the repository. It is removed after the tests of the file. */
export function newFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clouddb-test-")));
    folders.push(folder);
    return folder;
}
