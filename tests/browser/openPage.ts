import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { newPage, startBrowser } from "../support/browser";
import { longMs, startWorld, type TestWorld } from "../support/emulator";
import { newFolder } from "../support/folder";

/** Starts a browser for the tests of a file. Closes its pages after each test. */
export function usePage() {
    let browser: Browser;
    const folder = newFolder();
    const pages: Page[] = [];

    beforeAll(async () => {
        browser = await startBrowser();
    });
    afterEach(async () => {
        await Promise.all(pages.splice(0).map((page) => page.context().close()));
    });
    afterAll(() => browser.close());

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
    /** Opens the page of a furnished world. */
    const openFurnished = async (options: BrowserContextOptions = {}) => {
        const world = await furnished();
        return { world, ...(await openPage(world, options)) };
    };
    /** Opens the page of a world with so many services. */
    const openServices = async (count: number) => {
        const world = await startWorld();
        for (let index = 0; index < count; index++) {
            const headers = { "content-type": "application/json", authorization: `Bearer ${world.emulator.token}` };
            const body = JSON.stringify({ name: `db-${index}` });
            await world.emulator.handle({ method: "POST", path: `/v1${world.project}/services`, headers, body });
        }
        return { world, ...(await openPage(world)) };
    };
    return { openPage, openFurnished, openServices, folder };
}

export const addressOf = ({ emulator }: Pick<TestWorld, "emulator">) => emulator.url.replace(/v1$/, "");

const peeringInput = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b" };

/** A world with a service, a read replica set, a VPC and a peering that is pending acceptance. */
export const furnished = async () => {
    const world = await startWorld({ peerings: "acceptance" });
    const service = await world.readyService({ name: "shop" });
    const set = await world.activeReplicaSet(service.service_id);
    const vpc = await world.vpc({ name: "production" });
    const path = `${world.project}/vpcs/${vpc.id}/peerings`;
    const peering = (await world.api<{ id: string }>("POST", path, peeringInput)).body;
    world.clock.advance(longMs);
    return { ...world, service, set, vpc, peering };
};

export const rowOf = (page: Page, name: string) =>
    page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
export const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
export const clipboard = ["clipboard-read", "clipboard-write"];
/** The text that a copy button puts into the clipboard. */
export const copied = async (page: Page | Locator, label: string): Promise<string> => {
    await button(page, `Copy ${label}`).click();
    await button(page, `Copied ${label}`).waitFor();
    return button(page, `Copied ${label}`).evaluate(() => navigator.clipboard.readText());
};
export const dialogOf = (page: Page) => page.getByRole("dialog");
export const notice = (page: Page, text: string) => page.locator("#notice").getByText(text).waitFor();
/** Chooses an item from the menu of a row, and then this button of its dialog. */
export const chooseFromMenu = async (page: Page, resource: string, item: string, confirmation?: string) => {
    await page.getByLabel(`More for ${resource}`, { exact: true }).click();
    await button(page, item).click();
    if (confirmation !== undefined) {
        await button(page, confirmation).click();
    }
};
