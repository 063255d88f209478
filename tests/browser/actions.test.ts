import { describeInBrowser } from "../support/browser";
import { longMs, startWorld } from "../support/emulator";
import { rowOf, button, dialogOf, notice, chooseFromMenu, usePage } from "./openPage";

describeInBrowser("the controls of the page in a browser", () => {
    const { openPage, openFurnished } = usePage();

    it("the page accepts, fails and deletes peerings, and renames and deletes VPCs", async () => {
        const { world, page } = await openFurnished();
        const status = () => world.emulator.snapshot().peerings[0];
        await button(page, "Accept peering vpc-0a1b").click();
        await rowOf(page, "vpc-0a1b").getByText("active").waitFor();
        await chooseFromMenu(page, "vpc-0a1b", "Fail peering vpc-0a1b");
        await page.getByLabel("Status", { exact: true }).selectOption("rejected");
        await page.getByLabel("Message").fill("No.");
        await button(page, "Fail peering").click();
        await rowOf(page, "vpc-0a1b").getByText("rejected").waitFor();
        expect(status()).toMatchObject({ status: "rejected", error_message: "No." });
        await button(page, "Rename production").click();
        await dialogOf(page).getByLabel("Name").fill("live");
        await button(page, "Update VPC").click();
        await rowOf(page, "live").waitFor();
        await chooseFromMenu(page, "vpc-0a1b", "Delete peering vpc-0a1b", "Delete peering");
        await rowOf(page, "vpc-0a1b").waitFor({ state: "detached" });
        await chooseFromMenu(page, "live", "Delete VPC live", "Delete VPC");
        await page.getByText("0 VPCs, 0 peerings").waitFor();
        expect(world.emulator.snapshot()).toMatchObject({ peerings: [], vpcs: [] });
    });

    it("the page modifies and deletes services and read replica sets outside the program", async () => {
        const { world, page } = await openFurnished();
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
        await page.getByLabel("Status", { exact: true }).selectOption("UNSTABLE");
        await button(page, "Set service status").click();
        await rowOf(page, "shop").getByText("UNSTABLE", { exact: true }).waitFor();
        await rowOf(page, "shop").getByText("set by you").waitFor();
        await chooseFromMenu(page, "shop", "Set service status shop", "Set service status");
        await rowOf(page, "shop").getByText("READY", { exact: true }).waitFor();
        await rowOf(page, "shop").getByText("set by you").waitFor({ state: "detached" });
        await chooseFromMenu(page, "shop", "Take snapshot shop");
        await notice(page, "Take snapshot: done");
        await chooseFromMenu(page, "readers", "Update replica set readers");
        await page.getByLabel("Nodes").fill("3");
        await button(page, "Update replica set").click();
        await rowOf(page, "readers").getByText("3 nodes").waitFor();
        await chooseFromMenu(page, "readers", "Set replica set status readers");
        await page.getByLabel("Status", { exact: true }).selectOption("error");
        await page.getByLabel("For milliseconds").fill("5000");
        await button(page, "Set replica set status").click();
        await rowOf(page, "readers").getByText("error").waitFor();
        world.clock.advance(5_000);
        await rowOf(page, "readers").getByText("active").waitFor();
        await chooseFromMenu(page, "readers", "Delete replica set readers", "Delete replica set");
        await rowOf(page, "readers").waitFor({ state: "detached" });
        await chooseFromMenu(page, "shop", "Delete service shop", "Delete service");
        await page.getByText("No services yet").waitFor();
        expect(world.emulator.snapshot().services).toEqual([]);
    });

    it("the page shows the error of a rejected control and keeps the dialog open", async () => {
        const { world, page } = await openFurnished();
        await chooseFromMenu(page, "shop", "Update service shop");
        world.emulator.deleteService(world.service.service_id);
        await button(page, "Update service").click();
        await dialogOf(page).getByText(`There is no service ${world.service.service_id}`).waitFor();
        await button(page, "Cancel").click();
        const field = page.getByLabel("Fault", { exact: true });
        await field.fill("nonsense");
        await button(page, "Add fault").click();
        await page.getByText("It must have the form WHERE").waitFor();
        expect(await page.locator("#notice").textContent()).toBe("");
        await field.fill("GET:503");
        await button(page, "Add fault").click();
        await page.getByText("It must have the form WHERE").waitFor({ state: "detached" });
    });

    it("the page adds and removes faults", async () => {
        const world = await startWorld();
        const { page } = await openPage(world);
        const field = page.getByLabel("Fault", { exact: true });
        await field.fill("createService#2:reset-after");
        await button(page, "Add fault").click();
        await page.locator(".faults").getByText("createService#2:reset-after").waitFor();
        expect(world.emulator.faults()).toEqual([{ fault: "createService#2:reset-after", hits: 0 }]);
        await field.fill("createService#2:503");
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
    });

    it("the page calls operations of the API, and marks drift", async () => {
        const { world, page } = await openFurnished();
        const id = world.service.service_id;
        await chooseFromMenu(page, "shop", "Resize shop");
        await page.getByLabel("CPU in millicores").fill("4000");
        await page.getByLabel("Memory in GB").fill("16");
        await button(page, "Send request").click();
        await notice(page, "Resize a service: 202");
        const [sent] = world.emulator.changes().slice(-1);
        expect(sent).toMatchObject({ operationId: "resizeService", body: { cpu_millis: "4000", memory_gbs: "16" } });
        await rowOf(page, "shop").getByText("Size: 0.5 CPU, 2 GB → 4 CPU, 16 GB").waitFor();
        world.clock.advance(longMs);
        await world.api("POST", `${world.project}/services/${id}/resize`, { cpu_millis: "500", memory_gbs: "2" });
        await rowOf(page, "shop").getByText("drift", { exact: true }).waitFor({ state: "detached" });
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Stop shop", "Send request");
        await rowOf(page, "shop").getByText("PAUSING").waitFor();
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Start shop", "Send request");
        await rowOf(page, "shop").getByText("RESUMING").waitFor();
        world.clock.advance(longMs);
        await chooseFromMenu(page, "shop", "Fork shop");
        await dialogOf(page).getByLabel("Name").fill("copy");
        await button(page, "Send request").click();
        await rowOf(page, "copy").waitFor();
        await chooseFromMenu(page, "shop", "Create a read replica set shop", "Send request");
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

    it("the page shows the error of an operation, and keeps the form", async () => {
        const { world, page } = await openFurnished();
        await chooseFromMenu(page, "shop", "Resize shop");
        await page.getByLabel("CPU in millicores").fill("many");
        await button(page, "Send request").click();
        await dialogOf(page).getByText("cpu_millis must").waitFor();
        expect(await page.getByLabel("CPU in millicores").inputValue()).toBe("many");
        await page.keyboard.press("Escape");
        world.emulator.addFaults(["deleteReplicaSet:reset-before"]);
        await chooseFromMenu(page, "readers", "Delete readers", "Send request");
        await dialogOf(page).getByText("because a fault broke the connection").waitFor();
    });

    it("the header sets the speed, and the menu of a row completes its change", async () => {
        const world = await startWorld();
        const { page } = await openPage(world);
        await world.api("POST", `${world.project}/services`, { name: "slow" });
        await world.api("POST", `${world.project}/services`, { name: "other" });
        await page.getByText("2 in progress").waitFor();
        await chooseFromMenu(page, "slow", "Finish now slow");
        await rowOf(page, "slow").getByText("READY", { exact: true }).waitFor();
        expect(await rowOf(page, "other").textContent()).toContain("QUEUED");
        await button(page, "100×").click();
        await notice(page, "Set speed: done");
        expect(world.emulator.speed()).toBe(100);
        await page.getByRole("button", { name: "100×", pressed: true }).waitFor();
        world.clock.advance(40);
        await rowOf(page, "other").getByText("READY", { exact: true }).waitFor();
        await chooseFromMenu(page, "slow", "Stop slow", "Send request");
        await rowOf(page, "slow").getByText("PAUSING").waitFor();
        await chooseFromMenu(page, "slow", "Finish now slow");
        await rowOf(page, "slow").getByText("PAUSED", { exact: true }).waitFor();
    });
});
