/** Builds the engine beside `npm ci`. Uses only built-in modules of Node. */
import { existsSync } from "node:fs";
import { cached, ensureFolder } from "../lib/cache.mjs";
import { report } from "../lib/repository.mjs";
import { build } from "./get.mjs";
import { wanted } from "./modules.mjs";
import { folderWith } from "./programs.mjs";

const download = "https://get.pulumi.com/install.sh";
const answerLimitMs = 10_000;

/** Builds the engine if there is none and it cannot be downloaded. What fails is left to `ensureEngine`, which says why. */
export async function buildAhead() {
    const target = wanted("engine", process.env.CLOUDDB_PULUMI);
    const folder = cached("engine", target.key);
    if (folderWith("pulumi") || !folderWith("go") || existsSync(folder) || (await canDownload())) {
        return;
    }
    try {
        await ensureFolder(folder, (stage) => {
            report("build", `Pulumi ${target.version} from Go modules, because ${download} does not answer`, "engine");
            return build(target, stage);
        });
    } catch {
        // `ensureEngine` tries again.
    }
}

async function canDownload() {
    try {
        return (await fetch(download, { method: "HEAD", signal: AbortSignal.timeout(answerLimitMs) })).ok;
    } catch {
        return false;
    }
}
