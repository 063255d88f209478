import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devNull } from "node:os";
import { Client } from "pg";
import { describeInBrowser, foreignHost } from "../support/browser";
import { run } from "../support/command";
import { root } from "../support/documents";
import { startWorld } from "../support/emulator";
import { postgresWorld, testWithPostgres } from "../support/postgres";
import {
    addressOf,
    furnished,
    rowOf,
    button,
    clipboard,
    copied,
    dialogOf,
    notice,
    chooseFromMenu,
    usePage,
} from "./openPage";

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

describeInBrowser("the secrets of the page in a browser", () => {
    const { openPage } = usePage();

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
        `each way to connect has a copy button and the path of the certificate, ${howPsqlRuns}`,
        async () => {
            const world = await postgresWorld();
            const file = world.emulator.certificate?.file ?? "";
            await world.api("POST", "/services", { name: "metrics" });
            const { page } = await openPage(world, { permissions: clipboard }, world.emulator.pageUrl);
            await rowOf(page, "metrics").getByText("READY", { exact: true }).waitFor({ timeout: 60_000 });
            await button(page, "Connect to metrics").click();
            await button(page, "Show password").click();
            await page.getByText("contain the initial password").waitFor();
            const psql = await copied(page, "Endpoint");
            expect(psql).toContain(`sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`);
            expect(await outputOfPsql(psql)).toContain("tsdbadmin");
            await button(page, "URL").click();
            const url = await copied(page, "Endpoint");
            expect(psql).toBe(`psql "${url}"`);
            await button(page, "Environment").click();
            const environment = (await copied(page, "Endpoint")).split("\n").map((line) => line.split(/=(.*)/s));
            const query =
                'client.connect().then(() => client.query("SELECT current_user")).then(({ rows }) => console.log(rows[0].current_user), console.log).finally(() => client.end());';
            const fromEnvironment = `const client = new (require("pg").Client)({ connectionString: process.env.DATABASE_URL });`;
            const env = { ...process.env, ...(Object.fromEntries(environment) as NodeJS.ProcessEnv) };
            expect(env.NODE_EXTRA_CA_CERTS).toBe(file);
            expect(await run(process.execPath, ["-e", fromEnvironment + query], { cwd: root, env })).toBe(
                "tsdbadmin\n",
            );
            await world.emulator.close();
        },
    );

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

    it("the address that an emulator with PostgreSQL prints opens the page without a token, which it does not show, and the key leaves the address", async () => {
        const world = await startWorld({ token: "canary-token" });
        expect(world.emulator.pageUrl).toMatch(/\/#key=[\w-]{43}$/);
        const { page } = await openPage(world, {}, world.emulator.pageUrl);
        await page.getByText("No services yet").waitFor();
        expect(page.url()).toBe(addressOf(world));
        await page.getByText("export CLOUDDB_ACCESS_TOKEN=TOKEN").waitFor();
        expect(await page.content()).not.toContain("canary-token");
    });

    it("the browser rejects text as HTML in the page", async () => {
        const { page } = await openPage(await startWorld());
        await page.getByText("No services yet").waitFor();
        const outcome = page.evaluate(() => {
            document.body.innerHTML = "<b>text</b>";
        });
        await expect(outcome).rejects.toThrow(/TrustedHTML/);
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
