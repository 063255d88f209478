import { join } from "node:path";
import { accessibilityProblems, describeInBrowser } from "../support/browser";
import { longMs, startWorld } from "../support/emulator";
import { furnished, rowOf, button, clipboard, copied, dialogOf, usePage } from "./openPage";

describeInBrowser("what the page shows in a browser", () => {
    const { openPage, openFurnished, folder } = usePage();

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
        await world.api("POST", `${world.project}/services`, { name: "other" });
        await rowOf(page, "other").waitFor();
        expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Connect to shop");
        world.emulator.deleteService(shop.service_id);
        await rowOf(page, "shop").waitFor({ state: "detached" });
        // The focused button was removed. The browser continues from its place.
        await page.keyboard.press("Tab");
        expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toContain("other");
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
        await page.getByLabel("Show", { exact: true }).selectOption("all");
        expect(await rows.count()).toBe(5);
        await rows.first().getByText("There is no service nosuchone1").first().waitFor();
        await world.api("GET", `${world.project}/services/${world.service.service_id}`);
        await rows.nth(5).waitFor();
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
        const { world, page, problems } = await openFurnished();
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

    it("the page filters services, and links a fork to its parent", async () => {
        const world = await startWorld();
        const parent = await world.readyService({ name: "b-parent", environment_tag: "PROD" });
        const fork = { name: "a-fork", fork_strategy: "NOW" };
        await world.api("POST", `${world.project}/services/${parent.service_id}/forkService`, fork);
        world.clock.advance(longMs);
        await world.readyService({ name: `c-${"long ".repeat(24)}` });
        const { service_id: last } = await world.readyService({ name: "d-last" });
        world.emulator.setServiceStatus(last, "UNSTABLE");
        const { page } = await openPage(world);
        await rowOf(page, "d-last").getByText("UNSTABLE").waitFor();
        const names = () => page.locator(".services tbody strong").allTextContents();
        expect((await names())[0]).toBe("b-parent");
        await rowOf(page, "b-parent").getByText("PROD", { exact: true }).waitFor();
        await rowOf(page, "a-fork").getByRole("link", { name: "b-parent" }).waitFor();
        await page.getByLabel("Filter").fill("unstable");
        await rowOf(page, "a-fork").waitFor({ state: "detached" });
        expect(await names()).toEqual(["d-last"]);
        await page.getByLabel("Filter").fill("");
        await rowOf(page, "a-fork").waitFor();
        expect(await names()).toHaveLength(4);
        const height = await page
            .locator("strong", { hasText: "c-long" })
            .evaluate((name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight));
        expect(Math.round(height)).toBeLessThanOrEqual(2);
        world.emulator.updateService(last, { name: "" });
        await rowOf(page, "(no name)").waitFor();
    });

    it("an empty emulator shows the variables of a program, and copies them", async () => {
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
});
