import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { onlyIf } from "./skipped";

/** Chromium: CLOUDDB_BROWSER, or the first of its usual names on PATH. Undefined if it is not installed. */
const executable =
    process.env.CLOUDDB_BROWSER ??
    (process.env.PATH ?? "")
        .split(delimiter)
        .flatMap((folder) =>
            ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map((name) => join(folder, name)),
        )
        .find(isExecutable);

/** Like describe, but skipped if there is no browser. */
export const describeInBrowser = onlyIf<() => void>(
    executable !== undefined,
    "no browser; install chromium or set CLOUDDB_BROWSER",
    describe,
);

/** A host name of another site that resolves to this computer, as in DNS rebinding. */
export const foreignHost = "attacker.test";

/** Starts a browser with a new profile. It can only connect to this computer. */
export const startBrowser = (): Promise<Browser> =>
    chromium.launch({
        ...(executable !== undefined && { executablePath: executable }),
        args: [
            ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
            ...["--disable-background-networking", "--disable-component-update"],
            `--host-resolver-rules=MAP ${foreignHost} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
        ],
    });

/** A page that records its errors. */
export async function newPage(
    browser: Browser,
    options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    // Longer than a busy machine needs.
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => {
        if (message.type() === "error") {
            problems.push(message.text());
        }
    });
    return { page, problems };
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface AxeViolation {
    id: string;
    nodes: { target: unknown[]; failureSummary?: string }[];
}

/** The accessibility violations that axe finds, as text. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const violations = await page.evaluate(
        async () =>
            (await (globalThis as unknown as { axe: { run: () => Promise<{ violations: AxeViolation[] }> } }).axe.run())
                .violations,
    );
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
}

function isExecutable(file: string): boolean {
    try {
        accessSync(file, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
