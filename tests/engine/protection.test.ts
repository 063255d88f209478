import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import {
    failed,
    host,
    packageName,
    protectedResources,
    removeStacks,
    startStack,
    type TestStack,
} from "../support/engine";
import { fromText, startProject } from "../support/project";

const limitMs = 120_000;

afterAll(removeStacks);

describe("deletionProtection", () => {
    let stack: TestStack;

    interface Changes {
        deletionProtection?: boolean;
        replicaCount?: number;
        cidr?: string;
        peerVpcId?: string;
    }

    const program = (changes: Changes) => () => {
        const { deletionProtection, replicaCount = 0, cidr = "10.0.0.0/16", peerVpcId = "vpc-1" } = changes;
        const protection = deletionProtection === undefined ? {} : { deletionProtection };
        const vpc = new Vpc("network", { name: "shop", cidr, regionCode: "us-east-1", ...protection });
        const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId };
        new Peering("office", { vpcId: vpc.vpcId, ...peer, ...protection });
        const service = new Service("orders", { regionCode: "us-east-1", replicaCount, ...protection });
        const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2 };
        // The name is unknown in a preview that changes the service.
        const name = service.serviceType.apply((type) => `reports-of-${type}`);
        new ReadReplicaSet("reports", { serviceId: service.serviceId, name, ...size, ...protection });
    };
    const replacement = async (changes: Changes) =>
        (await failed(stack.preview(program({ deletionProtection: true, ...changes })))).errors.join("\n");

    beforeAll(async () => {
        stack = await startStack({ peerings: "immediate" });
        await stack.up(program({ deletionProtection: true }));
        stack.calls();
    }, limitMs);

    test("resources with deletionProtection have Pulumi's protect option", async () => {
        expect(await protectedResources(stack)).toEqual(["network", "office", "orders", "reports"]);
    });

    test(
        "resources with deletionProtection are not replaced: the preview fails with the change and the remedy",
        async () => {
            const remedy =
                "but has deletionProtection. Set it to false and run `pulumi up` before you make this change.";
            expect(await replacement({ cidr: "10.1.0.0/16" })).toContain(
                `VPC "shop" would be replaced (cidr "10.0.0.0/16" -> "10.1.0.0/16"), ${remedy}`,
            );
            expect(await replacement({ peerVpcId: "vpc-2" })).toContain(remedy);
        },
        limitMs,
    );

    test(
        "resources with deletionProtection do not fail a preview because of a value that is not known yet",
        async () => {
            const { operations, messages } = await stack.preview(
                program({ deletionProtection: true, replicaCount: 1 }),
            );
            // In the preview of an update, the plugin knows which outputs do not change.
            expect(operations).toMatchObject({ orders: "update", reports: host === "native" ? "same" : "update" });
            const notice = "may be replaced: name is known after apply";
            expect(messages.reports?.join("\n").includes(notice) ?? false).toBe(host === "dynamic");
        },
        limitMs,
    );

    test(
        "resources with deletionProtection fail a destroy before anything is deleted, and one up removes the protection",
        async () => {
            const { errors } = await failed(stack.destroy());
            expect(errors.join("\n")).toContain("protected");
            expect(stack.calls()).toEqual([]);

            await stack.up(program({ deletionProtection: false }));
            expect(stack.calls()).toEqual([]);
            expect(await protectedResources(stack)).toEqual([]);
            await stack.destroy();
            expect(stack.emulator.snapshot()).toMatchObject({ services: [], vpcs: [], peerings: [] });
        },
        limitMs,
    );
});

test(
    "a destroy with a protected service deleted the replica sets and peerings before it failed",
    async () => {
        const source = (protection: string) =>
            `const { ReadReplicaSet, Service, Vpc, Peering } = require("${packageName}");\n` +
            `const vpc = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });\n` +
            `const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };\n` +
            `new Peering("office", { vpcId: vpc.vpcId, ...peer });\n` +
            `const orders = new Service("orders", { regionCode: "us-east-1", vpcId: vpc.vpcId, ${protection} });\n` +
            `const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2 };\n` +
            `new ReadReplicaSet("reports", { serviceId: orders.serviceId, ...size });\n`;
        const project = await startProject(fromText(source("deletionProtection: true")), { peerings: "immediate" });
        await project.pulumi("up", "--yes", "--skip-preview");
        project.emulator.clearJournal();
        const { stdout } = await project.failing("destroy", "--yes");
        expect(stdout).toContain("protected");
        expect(project.emulator.journal().filter(({ method }) => method === "DELETE")).toEqual([]);

        // Removing the property also removes the protection.
        project.write(source(""));
        await project.pulumi("up", "--yes", "--skip-preview");
        await project.pulumi("destroy", "--yes");
        expect(project.emulator.snapshot()).toMatchObject({ services: [], vpcs: [], peerings: [] });
    },
    limitMs,
);

test(
    "protect: false removes Pulumi's protection, and deletionProtection still fails a destroy",
    async () => {
        const stack = await startStack();
        const program = (deletionProtection: boolean) => () => {
            new Service("orders", { regionCode: "us-east-1", deletionProtection }, { protect: false });
        };
        await stack.up(program(true));
        expect(await protectedResources(stack)).toEqual([]);
        stack.calls();
        const { errors } = await failed(stack.destroy());
        expect(errors.join("\n")).toMatch(
            /has deletionProtection\. .*`pulumi up`, and then delete.*`pulumi state unprotect`/,
        );
        expect(stack.calls()).toEqual([]);
    },
    limitMs,
);
