import type { Locator } from "playwright-core";
import { accessibilityProblems, describeInBrowser } from "../support/browser";
import { longMs, startWorld } from "../support/emulator";
import { furnished, rowOf, button, dialogOf, notice, chooseFromMenu, usePage } from "./openPage";

describeInBrowser("the layout of the page in a browser", () => {
    const { openPage, openFurnished, openServices } = usePage();

    it("the page is accessible and does not scroll sideways, in light and dark, 1400 and 400 pixels wide", async () => {
        const world = await furnished();
        const { service, peering } = world;
        world.emulator.failPeering(peering.id, "The peer VPC could not be reached.");
        world.emulator.addFaults(["createService#2:reset-after"]);
        const name = `${"long-".repeat(20)}name`;
        world.emulator.updateService(service.service_id, { pooler: true, vpcId: world.vpc.id, name });
        await world.api("POST", `${world.project}/services`, { name: "db" });
        const { page, problems } = await openPage(world);
        await page.locator(".faults").getByText("createService#2:reset-after").waitFor();
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
        await check("a form with choices");
        await button(page, "Cancel").click();
        await button(page, "New service").click();
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
        const { page } = await openServices(60);
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

    it("the page supports the keyboard for all actions", async () => {
        const { world, page } = await openFurnished();
        await rowOf(page, "shop").waitFor();
        const focused = () =>
            page.evaluate(
                () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
            );
        await page.keyboard.press("Tab");
        expect(await focused()).toBe("Skip to services");
        await page.keyboard.press("Enter");
        const order = [];
        for (let index = 0; index < 6; index++) {
            await page.keyboard.press("Tab");
            order.push(await focused());
        }
        expect(order).toEqual([
            ...["Filter", "New service"],
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

    it("the menu of the last service is above the head of the networks", async () => {
        const world = await startWorld();
        await world.vpc({ name: "production" });
        await world.readyService({ name: "shop" });
        const { page } = await openPage(world);
        await chooseFromMenu(page, "shop", "Delete service shop", "Delete service");
        await page.getByText("No services yet").waitFor();
    });

    it.each([
        [1400, 420],
        [400, 420],
    ])("the menu of a row is inside a window of %d x %d pixels, and scrolls", async (width, height) => {
        const { page } = await openFurnished({ viewport: { width, height } });
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
        const { page } = await openServices(60);
        await page.clock.install();
        const last = rowOf(page, "db-59");
        await page.getByLabel("More for db-59", { exact: true }).click();
        const before = await last.boundingBox();
        await button(page, "Take snapshot db-59").click();
        await notice(page, "Take snapshot: done");
        const { y = -1, height = 0 } = (await page.locator("#notice").boundingBox()) ?? {};
        expect(y).toBeGreaterThan(0);
        expect(y + height).toBeLessThanOrEqual(900);
        expect(await last.boundingBox()).toEqual(before);
        await page.clock.fastForward(60_000);
        await page.locator("#notice").getByText("Take snapshot: done").waitFor({ state: "detached" });
    });

    it("the page stays usable with 1,000 services", async () => {
        const { world, page } = await openServices(1_000);
        await rowOf(page, "db-99").waitFor();
        expect(await page.locator(".services tbody tr").count()).toBe(100);
        await page.getByLabel("Filter").fill("db-987");
        await rowOf(page, "db-987").waitFor();
        await page.getByText("1 of 1,000").waitFor();
        await page.getByLabel("Filter").fill("");
        await page.getByRole("button", { name: "Show more" }).click();
        await rowOf(page, "db-199").waitFor();
        world.clock.advance(longMs);
        await rowOf(page, "db-199").getByText("READY", { exact: true }).waitFor();
    });
});
