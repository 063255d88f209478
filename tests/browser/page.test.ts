import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { startEmulator } from "../../emulator";
import { loadContract } from "../../emulator/contract";
import type { EmulatorOptions } from "../../emulator";
import { describeInBrowser, accessibilityProblems, foreignHost, newPage, startBrowser } from "../support/browser";
import { run } from "../support/command";
import { root } from "../support/documents";
import { closeWorlds, longMs, startWorld } from "../support/emulator";
import type { TestWorld } from "../support/emulator";
import { postgresWorld, testWithPostgres } from "../support/postgres";

const hasPsql = spawnSync("psql", ["--version"]).status === 0;
const howPsqlRuns = hasPsql
    ? "the psql command works"
    : "node-postgres accepts the address of the psql command (no psql on PATH)";

/** Runs a copied psql command in a shell, and prints the user. */
async function outputOfPsql(command: string): Promise<string> {
    if (hasPsql) {
        const env = { ...process.env, PSQLRC: devNull };
        return run("sh", ["-c", `echo "SELECT current_user" | ${command}`], { cwd: root, env });
    }
    const printed = await run("sh", ["-c", `psql() { printf %s "$1"; }; ${command}`], { cwd: root });
    const client = new Client({ connectionString: printed });
    await client.connect();
    const { rows } = await client.query<{ current_user: string }>("SELECT current_user");
    await client.end();
    return rows[0]?.current_user ?? "";
}

const peeringInput = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b" };

describeInBrowser("the page of the emulator in a browser", () => {
    let browser: Browser;
    const folder = mkdtempSync(join(tmpdir(), "clouddb-page-"));
    const pages: Page[] = [];

    beforeAll(async () => {
        browser = await startBrowser();
    });
    afterEach(async () => {
        await Promise.all(pages.splice(0).map((page) => page.context().close()));
        await closeWorlds();
    });
    afterAll(async () => {
        await browser.close();
        rmSync(folder, { recursive: true });
    });

    const addressOf = ({ emulator }: Pick<TestWorld, "emulator">) => emulator.url.replace(/v1$/, "");

    const openPage = async (
        world: Pick<TestWorld, "emulator">,
        options: BrowserContextOptions = {},
        address = addressOf(world),
    ) => {
        const opened = await newPage(browser, options);
        pages.push(opened.page);
        await opened.page.goto(address);
        return opened;
    };

    /** A world with a service, a read replica set, a VPC and a peering that is pending acceptance. */
    const furnished = async (options: EmulatorOptions = {}) => {
        const world = await startWorld({ peerings: "acceptance", ...options });
        const service = await world.readyService({ name: "shop" });
        const set = await world.activeReplicaSet(service.service_id);
        const vpc = await world.vpc({ name: "production" });
        const path = `${world.project}/vpcs/${vpc.id}/peerings`;
        const peering = (await world.api<{ id: string }>("POST", path, peeringInput)).body;
        world.clock.advance(longMs);
        return { ...world, service, set, vpc, peering };
    };

    const rowOf = (page: Page, name: string) =>
        page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
    const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
    const clipboard = ["clipboard-read", "clipboard-write"];
    /** The text that a copy button puts into the clipboard. */
    const copied = async (page: Page | Locator, label: string): Promise<string> => {
        await button(page, `Copy ${label}`).click();
        await button(page, `Copied ${label}`).waitFor();
        return button(page, `Copied ${label}`).evaluate(() => navigator.clipboard.readText());
    };
    const dialogOf = (page: Page) => page.getByRole("dialog");
    const notice = (page: Page, text: string) => page.locator("#notice").getByText(text).waitFor();
    const chooseFromMenu = async (page: Page, resource: string, item: string) => {
        await page.getByLabel(`More for ${resource}`, { exact: true }).click();
        await button(page, item).click();
    };

    it("the page is accessible and does not scroll sideways, in light and dark, 1400 and 400 pixels wide", async () => {
        const world = await furnished();
        const { service, peering } = world;
        world.emulator.failPeering(peering.id, "The peer VPC could not be reached.");
        world.emulator.addFaults(["createService#2:reset-after"]);
        const name = `${"long-".repeat(20)}name`;
        world.emulator.updateService(service.service_id, { pooler: true, vpcId: world.vpc.id, name });
        await world.api("POST", `${world.project}/services`, { name: "db" });
        const { page, problems } = await openPage(world);
        await page.getByText("createService#2:reset-after").waitFor();
        type Appearance = readonly [width: number, colorScheme: "light" | "dark"];
        const appearances: Appearance[] = [
            [1400, "light"],
            [400, "dark"],
        ];
        const check = async (what: string, more: Appearance[] = []) => {
            for (const [width, colorScheme] of [...appearances, ...more]) {
                await page.setViewportSize({ width, height: 800 });
                await page.emulateMedia({ colorScheme });
                const found = await accessibilityProblems(page);
                const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
                expect([what, width, colorScheme, isWide, ...found]).toEqual([what, width, colorScheme, false]);
            }
        };
        await check("the page", [
            [1400, "dark"],
            [400, "light"],
        ]);
        await chooseFromMenu(page, "db", "Logs db");
        await page.getByText("service requested").waitFor();
        await check("the logs");
        await button(page, "Close").click();
        await button(page, "Connect to db").click();
        await button(page, "Show password").click();
        await page.getByText("contain the initial password").waitFor();
        await check("the connection");
        await button(page, "Close").click();
        await page.getByLabel("More for db", { exact: true }).click();
        await check("a menu");
        await button(page, "Create a read replica set db").click();
        await check("an operation");
        await button(page, "Cancel").click();
        await chooseFromMenu(page, "db", "Update service db");
        await check("a form");
        await button(page, "Cancel").click();
        await chooseFromMenu(page, "db", "Set service status db");
        await check("a form with suggestions");
        await button(page, "Cancel").click();
        await button(page, "Set durations…").click();
        await check("a form with many fields");
        await button(page, "Cancel").click();
        await page.getByRole("link", { name: "Journal" }).click();
        await page.locator(".journal tbody summary").first().click();
        await check("the journal", [
            [1400, "dark"],
            [400, "light"],
        ]);
        expect(problems).toEqual([]);
    });

    it("the head of the table stays visible below the header while 60 services or a long journal scroll", async () => {
        const world = await startWorld();
        for (let index = 0; index < 60; index++) {
            await world.api("POST", `${world.project}/services`, { name: `db-${index}` });
        }
        const { page } = await openPage(world);
        const check = async (table: string, name: string, last: Locator) => {
            await last.scrollIntoViewIfNeeded();
            const head = page.locator(`${table} thead`).getByText(name, { exact: true });
            const [top, header] = [await head.boundingBox(), await page.locator("header").boundingBox()];
            expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
            expect(Math.abs((top?.y ?? 0) - (header?.height ?? 0))).toBeLessThan(20);
            // Nothing covers it.
            await head.click({ trial: true });
        };
        await check(".services", "Name", rowOf(page, "db-59"));
        await page.getByRole("link", { name: "Journal" }).click();
        await check(".journal", "Request", page.locator(".journal tbody tr").last());
    });

    it("the page shows changes without a reload and keeps the focus", async () => {
        const world = await startWorld();
        const { page } = await openPage(world);
        await page.getByText("No services yet").waitFor();
        const { body: shop } = await world.api<{ service_id: string }>("POST", `${world.project}/services`, {
            name: "shop",
        });
        await rowOf(page, "shop").getByText("QUEUED").waitFor();
        const progress = rowOf(page, "shop").locator(".progress");
        expect(await progress.locator("i").getAttribute("style")).toBe("width: 0%;");
        world.clock.advance(500);
        await page.waitForFunction(() => document.querySelector<HTMLElement>(".progress i")?.style.width === "50%");
        await button(page, "Connect to shop").focus();
        world.clock.advance(longMs);
        await rowOf(page, "shop").getByText("READY", { exact: true }).waitFor();
        expect(await progress.isVisible()).toBe(false);
        expect(await rowOf(page, "shop").textContent()).toContain("56 s");
        await world.api("POST", `${world.project}/services`, { name: "other" });
        await rowOf(page, "other").waitFor();
        expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Connect to shop");
        world.emulator.deleteService(shop.service_id);
        await rowOf(page, "shop").waitFor({ state: "detached" });
        // The focused button was removed, so the heading of the section has the focus.
        expect(await page.evaluate(() => document.activeElement?.id)).toBe("services");
    });

    it("the page shows each change as it arrives, with its fault and a link to its row, and folds reads", async () => {
        const world = await startWorld({ faults: ["createService#2:503"] });
        const { page } = await openPage(world, { viewport: { width: 1400, height: 900 } });
        const rows = page.locator(".activity li");
        await page.getByText("Requests appear here").waitFor();
        const { service_id: id } = await world.readyService({ name: "orders" });
        await rows.getByText("createService").waitFor();
        expect((await rows.first().textContent())?.replace(/ +/g, " ")).toMatch(/createService orders 202/);
        expect(await rows.getByRole("link", { name: "orders" }).getAttribute("href")).toBe(`#services-${id}`);
        await world.api("GET", `${world.project}/services`);
        await world.api("GET", `${world.project}/services/${id}`);
        await world.api("POST", `${world.project}/services`, { name: "other" });
        await rows.getByText("fault createService#2:503").waitFor();
        expect(
            (await rows.allTextContents()).map((text) => text.replace(/^\S+ /, "").trim().replace(/ +/g, " ")),
        ).toEqual(["createService other fault createService#2:503 503", "2 reads", "createService orders 202"]);
        const services = page.getByRole("region", { name: "Services" });
        const activity = page.getByRole("region", { name: "Activity" });
        const [left, right] = [await services.boundingBox(), await activity.boundingBox()];
        expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
        expect(right?.y).toBe(left?.y);
        await page.setViewportSize({ width: 400, height: 900 });
        expect((await activity.boundingBox())?.y).toBeGreaterThan((await services.boundingBox())?.height ?? 0);
        expect(await accessibilityProblems(page)).toEqual([]);
    });

    it("the page supports the keyboard for all actions", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        await rowOf(page, "shop").waitFor();
        const focused = () =>
            page.evaluate(
                () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
            );
        await page.keyboard.press("Tab");
        expect(await focused()).toBe("Skip to services");
        await page.keyboard.press("Enter");
        const order = [];
        for (let index = 0; index < 10; index++) {
            await page.keyboard.press("Tab");
            order.push(await focused());
        }
        expect(order).toEqual([
            ...["1 READY", "Filter", "New service", "Name", "Status", "Size"],
            ...["Copy address of shop", "Connect to shop", "More for shop", "Copy address of readers"],
        ]);
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Enter");
        const goTo = async (label: string) => {
            for (let index = 0; index < 30 && (await focused()) !== label; index++) {
                await page.keyboard.press("Tab");
            }
            expect(await focused()).toBe(label);
        };
        await goTo("Update service shop");
        await page.keyboard.press("Enter");
        await dialogOf(page).waitFor();
        await page.keyboard.press("Escape");
        await dialogOf(page).waitFor({ state: "detached" });
        expect(await focused()).toBe("More for shop");
        await page.keyboard.press("Enter");
        await goTo("Update service shop");
        await page.keyboard.press("Enter");
        await dialogOf(page).waitFor();
        await page.keyboard.press("Control+A");
        await page.keyboard.type("store");
        await page.keyboard.press("Enter");
        await rowOf(page, "store").waitFor();
        expect(world.emulator.snapshot().services[0]?.name).toBe("store");
        expect(await focused()).toBe("More for store");
    });

    it("the page accepts, fails and deletes peerings, and renames and deletes VPCs", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        const status = () => world.emulator.snapshot().peerings[0];
        await button(page, "Accept peering vpc-0a1b").click();
        await rowOf(page, "vpc-0a1b").getByText("active").waitFor();
        await chooseFromMenu(page, "vpc-0a1b", "Fail peering vpc-0a1b");
        await page.getByLabel("Status", { exact: true }).fill("rejected");
        await page.getByLabel("Message").fill("No.");
        await button(page, "Fail peering").click();
        await rowOf(page, "vpc-0a1b").getByText("rejected").waitFor();
        expect(status()).toMatchObject({ status: "rejected", error_message: "No." });
        await button(page, "Rename production").click();
        await dialogOf(page).getByLabel("Name").fill("live");
        await button(page, "Update VPC").click();
        await rowOf(page, "live").waitFor();
        await chooseFromMenu(page, "vpc-0a1b", "Delete peering vpc-0a1b");
        await button(page, "Delete peering").click();
        await rowOf(page, "vpc-0a1b").waitFor({ state: "detached" });
        await chooseFromMenu(page, "live", "Delete VPC live");
        await button(page, "Delete VPC").click();
        await page.getByText("No VPCs yet.").waitFor();
        expect(world.emulator.snapshot()).toMatchObject({ peerings: [], vpcs: [] });
    });

    it("the page modifies and deletes services and read replica sets outside the program", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        const first = () => world.emulator.snapshot().services[0];
        await chooseFromMenu(page, "shop", "Update service shop");
        await page.getByLabel("Environment").selectOption("PROD");
        await page.getByLabel("Size").selectOption("4 CPU, 16 GB");
        await page.getByLabel("Replica count", { exact: true }).fill("2");
        await page.getByLabel("VPC id").selectOption(world.vpc.id);
        await page.getByLabel("Pooler").check();
        await button(page, "Update service").click();
        await notice(page, "Update service: done");
        expect(first()).toMatchObject({
            name: "shop",
            metadata: { environment: "PROD" },
            resources: [{ spec: { cpu_millis: 4000, memory_gbs: 16 } }],
            ha_replicas: { replica_count: 2, sync_replica_count: 0 },
            vpc_endpoint: { vpc_id: world.vpc.id },
            connection_pooler: {},
        });
        await rowOf(page, "shop").getByText("4 CPU, 16 GB", { exact: true }).waitFor();
        await chooseFromMenu(page, "shop", "Update service shop");
        await page.getByLabel("Size").selectOption("shared");
        await page.getByLabel("VPC id").selectOption("none");
        await button(page, "Update service").click();
        await rowOf(page, "shop").getByText("shared", { exact: true }).waitFor();
        expect(first()).not.toHaveProperty("vpc_endpoint");
        expect(first()?.connection_pooler).toBeDefined();
        await chooseFromMenu(page, "shop", "Set service status shop");
        const status = page.getByLabel("Status", { exact: true });
        const suggestions = await status.evaluate(({ list }: HTMLInputElement) => [...(list?.options ?? [])].length);
        expect(suggestions).toBeGreaterThan(3);
        await status.fill("UNSTABLE");
        await button(page, "Set service status").click();
        await rowOf(page, "shop").getByText("UNSTABLE", { exact: true }).waitFor();
        await chooseFromMenu(page, "shop", "Set service status shop");
        await button(page, "Set service status").click();
        await rowOf(page, "shop").getByText("READY", { exact: true }).waitFor();
        await chooseFromMenu(page, "shop", "Take snapshot shop");
        await notice(page, "Take snapshot: done");
        await chooseFromMenu(page, "readers", "Update replica set readers");
        await page.getByLabel("Nodes").fill("3");
        await button(page, "Update replica set").click();
        await rowOf(page, "readers").getByText("3 nodes").waitFor();
        await chooseFromMenu(page, "readers", "Set replica set status readers");
        await page.getByLabel("Status", { exact: true }).fill("error");
        await page.getByLabel("For milliseconds").fill("5000");
        await button(page, "Set replica set status").click();
        await rowOf(page, "readers").getByText("error").waitFor();
        world.clock.advance(5_000);
        await rowOf(page, "readers").getByText("active").waitFor();
        await chooseFromMenu(page, "readers", "Delete replica set readers");
        await button(page, "Delete replica set").click();
        await rowOf(page, "readers").waitFor({ state: "detached" });
        await chooseFromMenu(page, "shop", "Delete service shop");
        await button(page, "Delete service").click();
        await page.getByText("No services yet").waitFor();
        expect(world.emulator.snapshot().services).toEqual([]);
    });

    it("the page shows the error of a rejected control and keeps the dialog open", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        await chooseFromMenu(page, "shop", "Update service shop");
        world.emulator.deleteService(world.service.service_id);
        await button(page, "Update service").click();
        await dialogOf(page).getByText(`There is no service ${world.service.service_id}`).waitFor();
        await button(page, "Cancel").click();
        const field = page.getByLabel("Fault", { exact: true });
        await field.fill("nonsense");
        await button(page, "Add fault").click();
        await page.getByText("It must have the form WHERE").waitFor();
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        const problem = page.locator(`#${await field.getAttribute("aria-errormessage")}`);
        expect(await problem.textContent()).toContain("It must have the form WHERE");
        expect(await page.locator("#notice").textContent()).toBe("");
        await field.fill("GET:503");
        await button(page, "Add fault").click();
        await problem.waitFor({ state: "detached" });
        expect(await field.getAttribute("aria-invalid")).toBe("false");
    });

    it("the menu of the last service is above the head of the networks", async () => {
        const world = await startWorld();
        await world.vpc({ name: "production" });
        await world.readyService({ name: "shop" });
        const { page } = await openPage(world);
        await chooseFromMenu(page, "shop", "Delete service shop");
        await button(page, "Delete service").click();
        await page.getByText("No services yet").waitFor();
    });

    it.each([
        [1400, 420],
        [400, 420],
    ])("the menu of a row is inside a window of %d x %d pixels, and scrolls", async (width, height) => {
        const world = await furnished();
        const { page } = await openPage(world, { viewport: { width, height } });
        await chooseFromMenu(page, "readers", "Set replica set status readers");
        await dialogOf(page).waitFor();
        await page.keyboard.press("Escape");
        await page.getByLabel("More for readers", { exact: true }).click();
        const box = await page.locator(".menu:popover-open").boundingBox();
        expect([box?.x, box?.y].every((start) => start !== undefined && start >= 0)).toBe(true);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    });

    it("a message is in view although the page is scrolled, moves nothing, and disappears", async () => {
        const world = await startWorld();
        for (let index = 0; index < 60; index++) {
            await world.api("POST", `${world.project}/services`, { name: `db-${index}` });
        }
        const { page } = await openPage(world);
        await page.clock.install();
        world.emulator.addFaults(["GET#9:503"]);
        const remove = button(page, "Remove all faults");
        const add = button(page, "Add fault");
        await add.scrollIntoViewIfNeeded();
        const before = await remove.boundingBox();
        await add.click();
        await notice(page, "Add faults: done");
        const { y = -1, height = 0 } = (await page.locator("#notice").boundingBox()) ?? {};
        expect(y).toBeGreaterThan(0);
        expect(y + height).toBeLessThanOrEqual(900);
        expect(await remove.boundingBox()).toEqual(before);
        await page.clock.fastForward(60_000);
        await page.locator("#notice").getByText("Add faults: done").waitFor({ state: "detached" });
    });

    it("the page adds and removes faults, sets durations and advances a virtual clock", async () => {
        const world = await startWorld();
        const { page } = await openPage(world);
        await page.getByLabel("Requests", { exact: true }).selectOption("createService");
        await page.getByLabel("Occurrences").selectOption("2");
        await page.getByLabel("Effect").selectOption("reset-after");
        await button(page, "Add fault").click();
        await page.locator(".faults").getByText("createService#2:reset-after").waitFor();
        expect(world.emulator.faults()).toEqual([{ fault: "createService#2:reset-after", hits: 0 }]);
        await page.getByLabel("Effect").selectOption("503");
        await button(page, "Add fault").click();
        const hit = page.locator(".faults li").filter({ hasText: "createService#2:503" });
        await hit.getByText("not hit yet").waitFor();
        await world.api("POST", `${world.project}/services`, { name: "a" });
        await expect(world.api("POST", `${world.project}/services`, { name: "b" })).rejects.toThrow();
        await hit.getByText("1 hit").waitFor();
        await button(page, "Remove fault createService#2:503").click();
        await hit.waitFor({ state: "detached" });
        expect(world.emulator.faults()).toEqual([{ fault: "createService#2:reset-after", hits: 1 }]);
        await button(page, "Remove all faults").click();
        await page.getByText("No faults").waitFor();
        expect(world.emulator.faults()).toEqual([]);
        const durations = world.emulator.durations();
        await button(page, "Set durations…").click();
        await page.getByLabel("Create", { exact: true }).fill("7000");
        await button(page, "Set durations").click();
        await notice(page, "Set durations: done");
        expect(world.emulator.durations()).toEqual({ ...durations, create: 7_000 });
        const before = world.clock.now();
        await button(page, "Advance clock…").click();
        await page.getByLabel("Milliseconds").fill("90000");
        await button(page, "Advance").click();
        await notice(page, "Advance: done");
        expect(world.clock.now()).toBe(before + 90_000);
    });

    it("the page shows the journal, filters and clears it, and resets the emulator", async () => {
        const world = await furnished();
        await world.api("GET", `${world.project}/services/nosuchone1`);
        const { page } = await openPage(world, { permissions: clipboard });
        const rows = page.locator(".journal tbody tr");
        expect(await rows.last().isVisible()).toBe(false);
        await page.getByRole("link", { name: "Journal" }).click();
        await rows.last().getByText("POST /v1").waitFor();
        expect(await page.locator(".services").isVisible()).toBe(false);
        expect(await rows.count()).toBe(4);
        await rows.last().getByText("Show").click();
        await rows.last().getByText('"name": "shop"').first().waitFor();
        await rows.last().getByText('"initial_password": "[redacted]"').waitFor();
        expect(JSON.parse(await copied(rows.last(), "body of the request"))).toEqual({ name: "shop" });
        await page.getByLabel("Search", { exact: true }).fill("readers");
        expect(await rows.locator("td > code").allTextContents()).toEqual([expect.stringMatching(/replicaSets$/)]);
        await page.getByText("1 of latest 5").waitFor();
        await page.getByLabel("Search", { exact: true }).fill("");
        await page.getByLabel("Show", { exact: true }).selectOption("all");
        expect(await rows.count()).toBe(5);
        await rows.first().getByText("There is no service nosuchone1").first().waitFor();
        for (let reads = 0; reads < 3; reads++) {
            await world.api("GET", `${world.project}/services/${world.service.service_id}`);
            world.clock.advance(2_000);
        }
        await rows.first().getByText("getService, 3 times in 4 s").waitFor();
        expect(await rows.count()).toBe(6);
        await page.getByRole("link", { name: "Resources", exact: true }).click();
        // The rows of the journal also contain the name.
        await rows.last().waitFor({ state: "hidden" });
        await rowOf(page, "shop").waitFor();
        await page.goBack();
        await button(page, "Clear journal").click();
        await page.getByText("No requests yet.").waitFor();
        expect(world.emulator.journal()).toEqual([]);
        await page.getByRole("link", { name: "Resources", exact: true }).click();
        await button(page, "Reset emulator…").click();
        await button(page, "Reset emulator").click();
        await page.getByText("No services yet").waitFor();
        expect(world.emulator.snapshot().counts.services.made).toBe(0);
    });

    it("the page shows the password of a service only on click, and removes it when the dialog is closed", async () => {
        const world = await furnished();
        const password = world.service.initial_password ?? "";
        const { page } = await openPage(world);
        const received: string[] = [];
        page.on("response", (response) => {
            if (!response.url().endsWith("/news") && response.status() !== 204) {
                void response.text().then((text) => received.push(text));
            }
        });
        await button(page, "Connect to shop").click();
        await dialogOf(page).getByText("Endpoint").waitFor();
        await dialogOf(page).getByText("start the emulator with --postgres").waitFor();
        await dialogOf(page).getByText('psql "postgres://tsdbadmin:PASSWORD@').waitFor();
        expect(await page.content()).not.toContain(password);
        expect(received.join()).not.toContain(password);
        await button(page, "Show password").click();
        await dialogOf(page).getByText(`postgres://tsdbadmin:${password}@`).waitFor();
        expect(page.url()).toBe(addressOf(world));
        await button(page, "Environment").click();
        await dialogOf(page).getByText(`DATABASE_URL=postgres://tsdbadmin:${password}@`).waitFor();
        await button(page, "Node.js").click();
        await dialogOf(page).getByText(`password: "${password}"`).waitFor();
        await button(page, "Close").click();
        await dialogOf(page).waitFor({ state: "detached" });
        expect(await page.content()).not.toContain(password);
        await chooseFromMenu(page, "shop", "Update service password shop");
        await page.getByLabel("Password", { exact: true }).fill("another-password");
        expect(await dialogOf(page).textContent()).not.toContain("another-password");
        await button(page, "Send request").click();
        await notice(page, "Update service password: 204");
        expect(world.emulator.passwordMatches(world.service.service_id, "another-password")).toBe(true);
    });

    testWithPostgres(
        `each way to connect has a copy button and the path of the certificate, ${howPsqlRuns}, and the page names missing extensions`,
        async () => {
            const world = await postgresWorld();
            const file = world.emulator.certificate?.file ?? "";
            await world.api("POST", "/services", { name: "metrics", addons: ["time-series"] });
            const { page } = await openPage(world, { permissions: clipboard }, world.emulator.pageUrl);
            await rowOf(page, "metrics").getByText("READY", { exact: true }).waitFor({ timeout: 60_000 });
            await rowOf(page, "metrics").getByText("The extension timescaledb is not available here.").waitFor();
            await button(page, "Connect to metrics").click();
            await button(page, "Show password").click();
            await page.getByText("contain the initial password").waitFor();
            const psql = await copied(page, "Endpoint");
            expect(psql).toContain(`sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`);
            expect(await outputOfPsql(psql)).toContain("tsdbadmin");
            await button(page, "URL").click();
            const url = await copied(page, "Endpoint");
            expect(psql).toBe(`psql "${url}"`);
            await button(page, "Parameters").click();
            const { hostname, port, password } = new URL(url);
            expect((await copied(page, "Endpoint")).split("\n")).toEqual([
                ...[`host: ${hostname}`, `port: ${port}`, "database: tsdb", "user: tsdbadmin"],
                ...[`password: ${decodeURIComponent(password)}`, "sslmode: verify-full", `sslrootcert: ${file}`],
            ]);
            await button(page, "Environment").click();
            const environment = (await copied(page, "Endpoint")).split("\n").map((line) => line.split(/=(.*)/s));
            await button(page, "Node.js").click();
            const code = await copied(page, "Endpoint");
            const query =
                'client.connect().then(() => client.query("SELECT current_user")).then(({ rows }) => console.log(rows[0].current_user), console.log).finally(() => client.end());';
            const fromEnvironment = `const client = new (require("pg").Client)({ connectionString: process.env.DATABASE_URL });`;
            const env = { ...process.env, ...(Object.fromEntries(environment) as NodeJS.ProcessEnv) };
            expect(env.NODE_EXTRA_CA_CERTS).toBe(file);
            expect(await run(process.execPath, ["-e", code + query], { cwd: root, env: process.env })).toBe(
                "tsdbadmin\n",
            );
            expect(await run(process.execPath, ["-e", fromEnvironment + query], { cwd: root, env })).toBe(
                "tsdbadmin\n",
            );
            await world.emulator.close();
        },
        120_000,
    );

    it("the time card advances the clock only if it is virtual, and shows the speed", async () => {
        const emulator = await startEmulator({ speed: 5 });
        const { page } = await openPage({ emulator });
        await page.getByText("durations are divided by 5").waitFor();
        expect(await button(page, "Set durations…").isVisible()).toBe(true);
        expect(await button(page, "Advance clock…").isVisible()).toBe(false);
        await emulator.close();
        const { page: other } = await openPage(await startWorld());
        await button(other, "Advance clock…").waitFor();
        expect(await other.getByText("durations are divided").count()).toBe(0);
    });

    it("the page asks for the token if one is set, and does not store it", async () => {
        const world = await startWorld({ token: "canary-token" });
        const { page } = await openPage(world);
        const token = page.getByLabel("Token", { exact: true });
        await token.fill("wrong");
        await button(page, "Open").click();
        await page.getByText("The access token is not valid.").waitFor();
        await page.keyboard.press("Escape");
        await token.fill("canary-token");
        await page.keyboard.press("Enter");
        await page.getByText("No services yet").waitFor();
        const kept = () =>
            page.evaluate(() =>
                JSON.stringify([
                    Object.entries(sessionStorage),
                    Object.entries(localStorage),
                    document.cookie,
                    location.href,
                    document.body.outerHTML,
                ]),
            );
        expect(await kept()).not.toContain("canary-token");
        await page.reload();
        await page.getByText("No services yet").waitFor();
        expect(await kept()).not.toContain("canary-token");
    });

    it("the address that an emulator with PostgreSQL prints opens the page without a token, and the key leaves the address", async () => {
        const world = await startWorld({ token: "canary-token" });
        expect(world.emulator.pageUrl).toMatch(/\/#key=[\w-]{43}$/);
        const { page } = await openPage(world, {}, world.emulator.pageUrl);
        await page.getByText("No services yet").waitFor();
        expect(page.url()).toBe(addressOf(world));
    });

    it("the page shows a lost connection and reconnects to an emulator that was restarted with the same state file", async () => {
        const stateFile = join(folder, "state.json");
        const first = await startWorld({ stateFile });
        await first.readyService({ name: "shop" });
        const { page } = await openPage(first);
        await rowOf(page, "shop").waitFor();
        const { port } = first.emulator;
        await first.emulator.close();
        await page.getByText("Connection lost", { exact: true }).waitFor();
        const second = await startWorld({ stateFile, port });
        await page.getByText("Connected", { exact: true }).waitFor();
        await second.readyService({ name: "second" });
        await rowOf(page, "second").waitFor();
        await button(page, "Connect to shop").click();
        await button(page, "Show password").click();
        await page.getByText("because the emulator was restarted").waitFor();
    });

    it("the page shows names and messages as text", async () => {
        const world = await furnished();
        const { page, problems } = await openPage(world);
        const name = `"><img src=x onerror="document.title='broken'"> & \u202e {{7*7}}`;
        world.emulator.updateService(world.service.service_id, { name });
        world.emulator.updateVpc(world.vpc.id, { name });
        world.emulator.failPeering(world.peering.id, name, name);
        await page.getByRole("row").filter({ hasText: "<img src=x" }).first().waitFor();
        await page.getByRole("button", { name: 'Connect to ">' }).click();
        await dialogOf(page).waitFor();
        expect(await page.locator("img").count()).toBe(0);
        expect(await page.title()).toBe("clouddb emulator");
        expect(problems).toEqual([]);
    });

    it("the page summarizes, filters and sorts services, and links a fork to its parent", async () => {
        const world = await startWorld();
        const parent = await world.readyService({ name: "b-parent", environment_tag: "PROD" });
        const fork = { name: "a-fork", fork_strategy: "NOW" };
        await world.api("POST", `${world.project}/services/${parent.service_id}/forkService`, fork);
        world.clock.advance(longMs);
        await world.readyService({ name: `c-${"long ".repeat(24)}` });
        const { service_id: last } = await world.readyService({ name: "d-last" });
        world.emulator.setServiceStatus(last, "UNSTABLE");
        const { page } = await openPage(world);
        await page.getByText("3 READY").waitFor();
        const names = () => page.locator(".services tbody strong").allTextContents();
        expect((await names())[0]).toBe("b-parent");
        await rowOf(page, "b-parent").getByText("PROD", { exact: true }).waitFor();
        await rowOf(page, "a-fork").getByRole("link", { name: "b-parent" }).waitFor();
        await button(page, "Name").click();
        expect((await names())[0]).toBe("a-fork");
        await button(page, "Name").click();
        expect((await names())[0]).toBe("d-last");
        await button(page, "1 UNSTABLE").click();
        expect(await names()).toEqual(["d-last"]);
        expect(await page.getByLabel("Filter").inputValue()).toBe("UNSTABLE");
        await button(page, "1 UNSTABLE").click();
        expect(await names()).toHaveLength(4);
        const height = await page
            .locator("strong", { hasText: "c-long" })
            .evaluate((name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight));
        expect(Math.round(height)).toBeLessThanOrEqual(2);
        world.emulator.updateService(last, { name: "" });
        await rowOf(page, "(no name)").waitFor();
    });

    it("the logs have a search, a severity filter, a button for checkpoints, and a copy button", async () => {
        const world = await furnished();
        const { page } = await openPage(world, { permissions: clipboard });
        world.emulator.fillLogs(world.service.service_id, 50);
        await chooseFromMenu(page, "shop", "Logs shop");
        const lines = dialogOf(page).locator("li");
        await lines.getByText("database system is ready").waitFor();
        expect(await lines.filter({ hasText: "checkpoint" }).count()).toBe(0);
        await page.getByLabel("Checkpoints").check();
        await lines.getByText("checkpoint starting").first().waitFor();
        await page.getByLabel("Severity").selectOption("errors");
        await lines.filter({ hasNotText: "ERROR" }).first().waitFor({ state: "detached" });
        await lines.getByText('relation "missing"').first().waitFor();
        expect(await lines.filter({ hasNotText: "ERROR" }).count()).toBe(0);
        await page.getByLabel("Severity").selectOption("all severities");
        await page.getByLabel("Search logs").fill("redo is");
        await lines.filter({ hasNotText: "redo is" }).first().waitFor({ state: "detached" });
        await lines.getByText("redo is not required").waitFor();
        expect(await lines.count()).toBe(1);
        expect(await copied(page, "log")).toMatch(/^\S+ LOG .*redo is not required$/);
        await button(page, "Close").click();
        await chooseFromMenu(page, "readers", "Logs readers");
        await lines.getByText("No lines.").waitFor();
    });

    it("an empty emulator shows the variables of a program, copies them, and creates a sample service", async () => {
        const world = await startWorld();
        const { page } = await openPage(world, { permissions: clipboard });
        const lines = [
            `export CLOUDDB_BASE_URL=${world.emulator.url}`,
            `export CLOUDDB_PROJECT_ID=${world.emulator.projectId}`,
            `export CLOUDDB_ACCESS_TOKEN=${world.emulator.token}`,
        ].join("\n");
        expect(await page.getByLabel("variables", { exact: true }).textContent()).toBe(lines);
        expect(await copied(page, "variables")).toBe(lines);
        expect(await accessibilityProblems(page)).toEqual([]);
        await button(page, "Create a sample service").click();
        await rowOf(page, "sample").waitFor();
        expect(world.emulator.changes()).toMatchObject([{ operationId: "createService", body: { name: "sample" } }]);
        await page.locator(".activity li").filter({ hasText: "createService" }).getByText("you").waitFor();
    });

    it("the page shows a secret token only on request, but copies it", async () => {
        const world = await startWorld({ token: "canary-token" });
        const { page } = await openPage(world, { permissions: clipboard }, world.emulator.pageUrl);
        await page.getByText("No services yet").waitFor();
        expect(await page.content()).not.toContain("canary-token");
        expect(await copied(page, "variables")).toContain("export CLOUDDB_ACCESS_TOKEN=canary-token");
        expect(await page.content()).not.toContain("canary-token");
        await button(page, "Show token").click();
        await page.getByText("export CLOUDDB_ACCESS_TOKEN=canary-token").waitFor();
    });

    it("the page calls operations of the API, each with the request as curl and the Pulumi code, and marks drift", async () => {
        const world = await furnished();
        const { page } = await openPage(world, { permissions: clipboard });
        const id = world.service.service_id;
        await chooseFromMenu(page, "shop", "Resize shop");
        await page.getByLabel("CPU in millicores").fill("4000");
        await page.getByLabel("Memory in GB").fill("16");
        const curl = await page.getByLabel("request as curl", { exact: true }).textContent();
        const code = await page.getByLabel("Pulumi code", { exact: true }).textContent();
        expect(code).toContain('new clouddb.Service("shop", {');
        expect(code).toContain("cpuMillis: 4000,\n    memoryGbs: 16,");
        await button(page, "Send request").click();
        await notice(page, "Resize a service: 202");
        const [sent] = world.emulator.changes().slice(-1);
        expect(sent).toMatchObject({ operationId: "resizeService", body: { cpu_millis: "4000", memory_gbs: "16" } });
        await rowOf(page, "shop").getByText("Size: 0.5 CPU, 2 GB → 4 CPU, 16 GB").waitFor();
        world.clock.advance(longMs);
        await world.api("POST", `${world.project}/services/${id}/resize`, { cpu_millis: "500", memory_gbs: "2" });
        await rowOf(page, "shop").getByText("drift", { exact: true }).waitFor({ state: "detached" });
        world.clock.advance(longMs);
        // The command works in a shell with the variables of the program.
        const env = { ...process.env, ...world.emulator.env };
        const answer = await run("sh", ["-c", `${curl ?? ""} -s`], { cwd: root, env });
        expect(JSON.parse(answer)).toMatchObject({ service_id: id, status: "CONFIGURING" });
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Stop shop");
        await page.getByText("paused: true").waitFor();
        await button(page, "Send request").click();
        await rowOf(page, "shop").getByText("PAUSING").waitFor();
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Start shop");
        await button(page, "Send request").click();
        await rowOf(page, "shop").getByText("RESUMING").waitFor();
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Fork shop");
        await dialogOf(page).getByLabel("Name").fill("copy");
        await page.getByText("fork: { serviceId: shop.serviceId").waitFor();
        await button(page, "Send request").click();
        await rowOf(page, "copy").waitFor();
        await chooseFromMenu(page, "shop", "Create a read replica set shop");
        await page.getByText('new clouddb.ReadReplicaSet("shop-replica"').waitFor();
        await button(page, "Send request").click();
        await rowOf(page, "shop-replica").waitFor();
        await button(page, "New service").click();
        await page.getByLabel("time-series").check();
        await dialogOf(page).getByLabel("Name").fill("metrics");
        await button(page, "Send request").click();
        await rowOf(page, "metrics").waitFor();
        expect(world.emulator.snapshot().services.map(({ name, service_type: type }) => [name, type])).toEqual([
            ["shop", "POSTGRES"],
            ["copy", "POSTGRES"],
            ["metrics", "TIMESERIESDB"],
        ]);
    });

    it("the page shows the error of an operation at its field, and keeps the form", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        await chooseFromMenu(page, "shop", "Resize shop");
        await page.getByLabel("CPU in millicores").fill("many");
        await button(page, "Send request").click();
        const field = page.getByLabel("CPU in millicores");
        await dialogOf(page).getByText("cpu_millis must").waitFor();
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        await page.keyboard.press("Escape");
        world.emulator.addFaults(["deleteReplicaSet:reset-before"]);
        await chooseFromMenu(page, "readers", "Delete readers");
        await button(page, "Send request").click();
        await dialogOf(page).getByText("because a fault broke the connection").waitFor();
    });

    it("each change of the API has a form, which is generated from the contract", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        await rowOf(page, "shop").waitFor();
        const opened = async (rows: string[]) => {
            const texts: string[] = [];
            for (const row of rows) {
                await page.getByLabel(`More for ${row}`, { exact: true }).click();
                texts.push(
                    ...(await page.locator(".menu:popover-open > div").first().getByRole("button").allTextContents()),
                );
                await page.keyboard.press("Escape");
            }
            return texts;
        };
        const texts = await opened(["shop", "readers", "production", "vpc-0a1b"]);
        world.emulator.updateService(world.service.service_id, { pooler: true, vpcId: world.vpc.id });
        world.emulator.updateReplicaSet(world.set.id, { pooler: true });
        world.emulator.setServiceStatus(world.service.service_id, "PAUSED");
        await rowOf(page, "shop").getByText("PAUSED").waitFor();
        texts.push(...(await opened(["shop", "readers"])));
        // Those of new services and VPCs have their own buttons.
        const changes = loadContract().operations.filter(({ method }) => method.toUpperCase() !== "GET");
        expect(new Set(texts).size).toBeGreaterThanOrEqual(17);
        expect(texts.length).toBeGreaterThanOrEqual(changes.length - 2);
    });

    it("the header sets the speed and completes one change", async () => {
        const world = await startWorld();
        const { page } = await openPage(world);
        await world.api("POST", `${world.project}/services`, { name: "slow" });
        await world.api("POST", `${world.project}/services`, { name: "other" });
        await page.getByText("2 in progress").click();
        expect(await accessibilityProblems(page)).toEqual([]);
        await button(page, "slow → CONFIGURING: finish now").click();
        await rowOf(page, "slow").getByText("READY", { exact: true }).waitFor();
        expect(await rowOf(page, "other").textContent()).toContain("QUEUED");
        await button(page, "100×").click();
        await notice(page, "Set speed: done");
        expect(world.emulator.speed()).toBe(100);
        await page.getByRole("button", { name: "100×", pressed: true }).waitFor();
        world.clock.advance(40);
        await rowOf(page, "other").getByText("READY", { exact: true }).waitFor();
        await chooseFromMenu(page, "slow", "Stop slow");
        await button(page, "Send request").click();
        await rowOf(page, "slow").getByText("PAUSING").waitFor();
        await chooseFromMenu(page, "slow", "Finish now slow");
        await rowOf(page, "slow").getByText("PAUSED", { exact: true }).waitFor();
    });

    it("the timeline shows the statuses and requests of each resource of the run, also after a reload", async () => {
        const world = await startWorld();
        const { service_id: id } = await world.readyService({ name: "orders" });
        const { page } = await openPage(world);
        const lanes = page.locator(".timeline li:not([aria-hidden])");
        await lanes.first().waitFor();
        await world.api("POST", `${world.project}/services/${id}/stop`);
        world.clock.advance(1_000);
        await world.api("GET", `${world.project}/services/${id}`);
        world.clock.advance(500);
        world.emulator.deleteService(id);
        await page.reload();
        await lanes.first().waitFor();
        expect(await lanes.count()).toBe(1);
        expect(await lanes.first().getAttribute("aria-label")).toMatch(/^orders: .*PAUSING 1\.5 s.*, deleted$/);
        expect(await lanes.first().locator("i").count()).toBe(2);
        expect(await lanes.first().locator("i.read").count()).toBe(1);
        expect(await accessibilityProblems(page)).toEqual([]);
    });

    it("the menu of a row adds a fault for its resource only, and a status that was set by hand says so", async () => {
        const world = await furnished();
        const { page } = await openPage(world);
        const id = world.service.service_id;
        await chooseFromMenu(page, "shop", "Lost response shop");
        await page.locator(".faults").getByText(`POST/${id}#1:reset-after`).waitFor();
        await chooseFromMenu(page, "shop", "10 % flaky shop");
        await chooseFromMenu(page, "shop", "Slow shop");
        await page.locator(".faults").getByText(`*/${id}#1+:delay,ms=3000`).waitFor();
        expect(world.emulator.faults().map(({ fault }) => fault)).toEqual([
            `POST/${id}#1:reset-after`,
            `*/${id}#@0.1:503`,
            `*/${id}#1+:delay,ms=3000`,
        ]);
        world.emulator.setServiceStatus(id, "UNSTABLE");
        await rowOf(page, "shop").getByText("set by you").waitFor();
        world.emulator.setServiceStatus(id);
        await rowOf(page, "shop").getByText("set by you").waitFor({ state: "detached" });
    });

    it("the keys / j and k go to the filter and to the next and previous row, but not while the user types", async () => {
        const world = await startWorld();
        for (const name of ["a", "b", "c"]) {
            await world.readyService({ name });
        }
        const { page } = await openPage(world);
        await rowOf(page, "c").waitFor();
        const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
        const press = async (...keys: string[]) => {
            for (const key of keys) {
                await page.keyboard.press(key);
            }
            return focused();
        };
        expect(await press("j", "j")).toBe("b");
        expect(await press("j", "j")).toBe("c");
        expect(await press("k")).toBe("b");
        expect(await press("Tab", "Tab")).toBe("Connect to b");
        expect(await press("/")).toBe("Filter");
        await page.keyboard.type("/jk");
        expect(await page.getByLabel("Filter").inputValue()).toBe("/jk");
    });

    it.each(["no-preference", "reduce"] as const)(
        "rows fade and flash only if the user allows motion: %s",
        async (motion) => {
            const world = await startWorld();
            const first = await world.readyService({ name: "first" });
            const { page } = await openPage(world, { reducedMotion: motion });
            await rowOf(page, "first").waitFor();
            await page.evaluate(() => {
                const seen = new Set<string>();
                Object.assign(window, { seen });
                const note = () => {
                    document
                        .getAnimations()
                        .forEach((one) => seen.add(one instanceof CSSTransition ? one.transitionProperty : one.id));
                    requestAnimationFrame(note);
                };
                note();
            });
            world.emulator.updateService(first.service_id, { name: "renamed" });
            await rowOf(page, "renamed").waitFor();
            await world.api("POST", `${world.project}/services`, { name: "second" });
            await rowOf(page, "second").waitFor();
            await page.waitForTimeout(300);
            const seen = () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen].join());
            if (motion === "reduce") {
                expect(await seen()).toBe("");
                return;
            }
            expect(await seen()).toMatch(/flash/);
            expect(await seen()).toMatch(/opacity/);
            world.emulator.deleteService(first.service_id);
            await page.locator("tr.leave").waitFor();
            await page.locator("tr.leave").waitFor({ state: "detached" });
        },
    );

    it("the browser rejects text as HTML in the page", async () => {
        const { page } = await openPage(await startWorld());
        await page.getByText("No services yet").waitFor();
        const outcome = page.evaluate(() => {
            document.body.innerHTML = "<b>text</b>";
        });
        await expect(outcome).rejects.toThrow(/TrustedHTML/);
    });

    it("the page stays usable with 1,000 services", async () => {
        const world = await startWorld();
        const names = Array.from({ length: 1_000 }, (_, index) => `db-${index}`);
        for (const name of names) {
            await world.emulator.handle({
                method: "POST",
                path: `/v1${world.project}/services`,
                headers: { authorization: `Bearer ${world.emulator.token}`, "content-type": "application/json" },
                body: JSON.stringify({ name }),
            });
        }
        const { page } = await openPage(world);
        await rowOf(page, "db-99").waitFor();
        expect(await page.locator(".services tbody tr").count()).toBe(100);
        // Measured in the page, because the test shares the processor with other processes.
        const filterMs = await page.getByLabel("Filter").evaluate(async (input: HTMLInputElement) => {
            const beganAt = performance.now();
            input.value = "db-987";
            input.dispatchEvent(new Event("input"));
            await new Promise((resolve) => setTimeout(resolve));
            document.body.getBoundingClientRect();
            return performance.now() - beganAt;
        });
        expect(filterMs).toBeLessThan(500);
        await rowOf(page, "db-987").waitFor();
        await page.getByText("1 of 1,000").waitFor();
        await page.getByLabel("Filter").fill("");
        await page.getByRole("button", { name: "Show more" }).click();
        await rowOf(page, "db-199").waitFor();
        world.clock.advance(longMs);
        await rowOf(page, "db-199").getByText("READY", { exact: true }).waitFor();
    });

    it("the page rejects requests and frames of other websites", async () => {
        const world = await furnished();
        const address = addressOf(world);
        const { page } = await openPage(world);
        const rebound = await page.goto(address.replace("127.0.0.1", foreignHost));
        expect(rebound?.status()).toBe(403);
        expect(await page.content()).not.toContain("<script");

        const site = createServer(
            (_, response) => void response.setHeader("content-type", "text/html").end("<p>Hello</p>"),
        );
        await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
        try {
            const { port } = site.address() as AddressInfo;
            for (const host of [foreignHost, "127.0.0.1"]) {
                await page.goto(`http://${host}:${port}/`);
                const results = await page.evaluate(async (target) => {
                    const tries = [
                        fetch(`${target}_emulator/state`, { headers: { authorization: "Bearer emulator-token" } }),
                        fetch(`${target}_page/session`, {
                            method: "POST",
                            headers: { "content-type": "application/json" },
                            body: "{}",
                        }),
                        fetch(`${target}v1/projects`),
                    ];
                    const outcomes = await Promise.allSettled(tries);
                    // The browser sends this request without a preflight, but the response cannot be read.
                    await fetch(`${target}_emulator/reset`, { method: "POST", mode: "no-cors", body: "{}" });
                    const frame = document.createElement("iframe");
                    frame.src = target;
                    await new Promise((resolve) => {
                        frame.addEventListener("load", resolve);
                        document.body.append(frame);
                    });
                    return outcomes.map(({ status }) => status);
                }, address);
                expect(results).toEqual(["rejected", "rejected", "rejected"]);
                const framed = page.frames().find((frame) => frame !== page.mainFrame());
                // The load event comes before the driver knows the address of the frame.
                await framed?.waitForURL("chrome-error://chromewebdata/", { waitUntil: "commit" });
                expect(framed?.url()).toBe("chrome-error://chromewebdata/");
            }
        } finally {
            site.closeAllConnections();
            site.close();
        }
        expect(world.emulator.snapshot().services).toHaveLength(1);
        expect(world.emulator.journal().map(({ path }) => path)).not.toContain("/v1/projects");
    });
});
