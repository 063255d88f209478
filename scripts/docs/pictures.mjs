/** `npm run docs -- --pictures`: makes the pictures of the emulator's page in docs/pictures, in light and dark. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const viewport = { width: 1400, height: 1000 };
const start = Date.UTC(2030, 0, 1, 9);

export async function makePictures() {
    const { startEmulator, virtualClock } = createRequire(import.meta.url)("../../dist/emulator/index.js");
    // Subpixel text doubles the size of the files.
    const browser = await chromium.launch({
        executablePath: findBrowser(),
        args: ["--no-sandbox", "--disable-lcd-text"],
    });
    const clock = virtualClock(start);
    const durations = { queued: 4_000, create: 16_000, fork: 24_000, vpcChange: 7_000, replicaSetCreate: 16_000 };
    const emulator = await startEmulator({ seed: 7, clock, peerings: "acceptance", durations });
    try {
        await createResources(emulator, clock);
        for (const colorScheme of ["light", "dark"]) {
            const page = await browser.newPage({ viewport, colorScheme });
            await page.goto(new URL("/", emulator.url).href);
            await page.locator("strong", { hasText: "shop-readers" }).waitFor();
            await page.getByText("Connected", { exact: true }).waitFor();
            // The port differs in each run.
            await page.locator("#url").evaluate((url) => (url.firstChild.data = "http://127.0.0.1:8080/v1"));
            await page.screenshot({ path: join(repositoryRoot, "docs", "pictures", `page-${colorScheme}.png`) });
            await page.close();
        }
    } finally {
        await browser.close();
        await emulator.close();
    }
}

function findBrowser() {
    const names = "command -v chromium chromium-browser google-chrome google-chrome-stable | head -n 1";
    const found = process.env.CLOUDDB_BROWSER ?? execFileSync("sh", ["-c", names], { encoding: "utf8" }).trim();
    if (found === "") {
        throw new ScriptError("There is no browser. Install chromium or set CLOUDDB_BROWSER.");
    }
    return found;
}

/** Creates resources in several states, as in the middle of a run, and two faults. */
async function createResources(emulator, clock) {
    const post = async (path, body) => {
        const { status, body: text } = await emulator.handle({
            method: "POST",
            path: `/v1/projects/${emulator.projectId}${path}`,
            headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
            ...(body && { body: JSON.stringify(body) }),
        });
        if (status >= 300) {
            throw new Error(`POST ${path}: ${text}`);
        }
        return JSON.parse(text);
    };
    const archive = await post("/services", { name: "archive", region_code: "eu-central-1" });
    clock.advance(60_000);
    await post(`/services/${archive.service_id}/stop`);
    clock.advance(192_000);
    const vpc = await post("/vpcs", { name: "production", cidr: "10.0.0.0/16", region_code: "us-east-1" });
    clock.advance(1_000);
    const size = { cpu_millis: "2000", memory_gbs: "8" };
    const shop = await post("/services", { name: "shop", environment_tag: "PROD", ...size });
    const events = await post("/services", { name: "events", addons: ["time-series"], replica_count: 1 });
    const peering = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b2c3d4e5f" };
    await post(`/vpcs/${vpc.id}/peerings`, peering);
    clock.advance(21_000);
    await post(`/services/${shop.service_id}/enablePooler`);
    await post(`/services/${shop.service_id}/attachToVPC`, { vpc_id: vpc.id });
    clock.advance(8_000);
    emulator.addFaults([`*/${shop.service_id}#@0.1:503`, "createService#2:reset-after"]);
    const set = { name: "shop-readers", nodes: 2, cpu_millis: 1000, memory_gbs: 4 };
    await post(`/services/${shop.service_id}/replicaSets`, set);
    emulator.updateService(events.service_id, { size: { cpuMillis: 4000, memoryGbs: 16 } });
    clock.advance(16_500);
    emulator.setServiceStatus(events.service_id, "UNSTABLE");
    await post(`/services/${shop.service_id}/forkService`, { name: "shop-pr-42", fork_strategy: "NOW" });
    clock.advance(9_000);
}
