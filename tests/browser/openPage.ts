import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { EmulatorOptions } from "../../emulator";
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
    return { openPage, folder };
}

export const addressOf = ({ emulator }: Pick<TestWorld, "emulator">) => emulator.url.replace(/v1$/, "");

const peeringInput = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b" };

/** A world with a service, a read replica set, a VPC and a peering that is pending acceptance. */
export const furnished = async (options: EmulatorOptions = {}) => {
    const world = await startWorld({ peerings: "acceptance", ...options });
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
export const chooseFromMenu = async (page: Page, resource: string, item: string) => {
    await page.getByLabel(`More for ${resource}`, { exact: true }).click();
    await button(page, item).click();
};
