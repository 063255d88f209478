import { describeOnWindows, packageOf, startProject, typeOf, type Host, type Project } from "./windows";

// The life of a stack. The first host is in a folder with a space, the other one in one with a letter outside of ASCII, too: there,
// Pulumi cannot start a dynamic provider.

interface Declared {
    readonly size?: { readonly cpuMillis: number; readonly memoryGbs: number };
    readonly adopts?: string;
    readonly isProtected?: boolean;
}

/** Size, adoption and protection change between the runs. */
function programOf(host: Host, { size = { cpuMillis: 500, memoryGbs: 2 }, adopts, isProtected = false }: Declared) {
    const found = `new clouddb.Vpc("found", { existingId: "${adopts ?? ""}", name: "found", cidr: "10.1.0.0/21", regionCode: "us-east-1" });`;
    return `
const clouddb = require("${packageOf(host)}");
const network = new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const orders = new clouddb.Service("orders", {
    ...${JSON.stringify(size)}, regionCode: "us-east-1", vpcId: network.vpcId,
    password: "a-password-of-the-program", deletionProtection: ${isProtected},
});
${adopts === undefined ? "" : found}
exports.host = orders.host;
exports.hasFunctions = clouddb.getServicesOutput().apply(Array.isArray);
`;
}

const folders = [
    ["dynamic", "C:\\My shop"],
    ["plugin", "C:\\Meine Bücher"],
] as const;

describeOnWindows("on Windows, a stack", () => {
    test.each(folders)("lives on the %s host in %s", async (host, folder) => {
        const stack = await startProject(folder, { "index.js": programOf(host, {}) });
        await creates(stack, host);
        await changes(stack, host);
        await refusesDeletion(stack, host);
        await isDestroyed(stack);
    });
});

async function creates(stack: Project, host: Host): Promise<void> {
    const preview = await stack.pulumi("preview");
    expect(preview).toMatch(/1 create service "orders-\w+": 500m\/2GB[^]*2 set the password[^]*3 attach to VPC/);
    expect(stack.calls()).toEqual([]);
    await stack.pulumi("up", "--yes", "--skip-preview");
    expect(stack.calls()).toEqual(["createVpc", "createService", "updatePassword", "attachToVPC"]);
    const [service] = stack.emulator.snapshot().services;
    expect(stack.emulator.passwordMatches(service?.service_id ?? "", "a-password-of-the-program")).toBe(true);
    const state = await stack.pulumi("stack", "export");
    expect(state).toContain(`"type": "${typeOf(host, "Service")}"`);
    expect(state).not.toContain("a-password-of-the-program");
    await stack.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(stack.calls()).toEqual([]);
}

const size = { cpuMillis: 1000, memoryGbs: 4 };

async function changes(stack: Project, host: Host): Promise<void> {
    const { id } = await stack.emulator.createVpc({ name: "found", cidr: "10.1.0.0/21" });
    stack.calls();
    stack.write("index.js", programOf(host, { size, adopts: id, isProtected: true }));
    expect(await stack.pulumi("up", "--yes", "--skip-preview")).toContain("resize 500m/2GB -> 1000m/4GB");
    expect(stack.calls()).toEqual(["resizeService"]);
    expect(await stack.pulumi("refresh", "--yes", "--skip-preview")).toContain("4 unchanged");
    if (host === "plugin") {
        const other = await stack.emulator.createVpc({ name: "imported", cidr: "10.2.0.0/21" });
        const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
        await stack.pulumi("import", typeOf(host, "Vpc"), "imported", other.id, ...options);
        expect(await stack.pulumi("stack", "export")).toContain('"cidr": "10.2.0.0/21"');
    }
}

async function refusesDeletion(stack: Project, host: Host): Promise<void> {
    expect(await stack.failing("destroy", "--yes", "--skip-preview")).toMatch(/protect/i);
    expect(stack.emulator.snapshot().services).toHaveLength(1);
    const adopts = stack.emulator.snapshot().vpcs.find(({ name }) => name === "found")?.id;
    stack.write("index.js", programOf(host, { size, ...(adopts && { adopts }) }));
    await stack.pulumi("up", "--yes", "--skip-preview");
}

async function isDestroyed(stack: Project): Promise<void> {
    await stack.pulumi("destroy", "--yes", "--skip-preview");
    const { services, vpcs } = stack.emulator.snapshot();
    expect([...services, ...vpcs]).toEqual([]);
}
