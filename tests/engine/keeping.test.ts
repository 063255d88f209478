import { Client } from "../../provider/api/client";
import { Service, Vpc } from "../../sdk";
import { failed, removeStacks, startStack, type TestStack } from "../support/engine";

// Ways in which Pulumi deletes one thing while another resource, or the same one, still means it.

const limitMs = 120_000;

afterAll(removeStacks);

const idsOf = ({ emulator }: TestStack) => emulator.snapshot().services.map(({ service_id: id }) => id);

test(
    "a database whose region comes from its VPC stays when the VPC has to be deleted first",
    async () => {
        const stack = await startStack();
        const program = (cidr: string) => () => {
            const vpc = new Vpc("network", { cidr, regionCode: "us-east-1" }, { customTimeouts: { delete: "4s" } });
            new Service("orders", { regionCode: vpc.regionCode, vpcId: vpc.vpcId });
        };
        await stack.up(program("10.0.0.0/24"));
        const before = idsOf(stack);
        stack.calls();
        await failed(stack.up(program("10.0.0.0/16")));
        expect(idsOf(stack)).toEqual(before);
        expect(stack.calls()).not.toContain("deleteService");
    },
    limitMs,
);

test(
    "a database that a renamed resource has taken over is not deleted with the old name",
    async () => {
        const stack = await startStack();
        await stack.up(() => {
            new Service("orders", { name: "orders" });
        });
        const [id = ""] = idsOf(stack);
        const { errors } = await failed(
            stack.up(() => {
                new Service("main", { name: "orders" });
            }),
        );
        expect(errors.join("\n")).toMatch(/alias.*existingId/);
        stack.calls();
        const taken = await stack.up(() => {
            new Service("main", { name: "orders", existingId: id });
        });
        expect(taken.said.orders?.join("\n")).toContain(`the service ${id} is not deleted: "main" has it now`);
        expect(stack.calls()).toEqual([]);
        expect(idsOf(stack)).toEqual([id]);
        expect((await stack.state("main")).id).toBe(id);
        await stack.destroy();
        expect(idsOf(stack)).toEqual([]);
    },
    limitMs,
);

test(
    "one database for two resources: the second is refused, and removing it leaves the first",
    async () => {
        const stack = await startStack();
        const orders = () => new Service("orders", { name: "orders" });
        await stack.up(() => void orders());
        const [id = ""] = idsOf(stack);
        const both = () => {
            const first = orders();
            new Service("copy", { existingId: id }, { dependsOn: first });
        };
        const { errors } = await failed(stack.up(both));
        expect(errors.join("\n")).toContain('"orders" of this program has it');
        await stack.up(() => void orders());
        expect(idsOf(stack)).toEqual([id]);
    },
    limitMs,
);

test(
    "a replacement does not take over what it replaces",
    async () => {
        const stack = await startStack();
        const { url, token, projectId } = stack.emulator;
        const client = new Client({ baseUrl: url, credentials: { kind: "bearer", token } });
        const made = await client.createService(projectId, { name: "wild", addons: ["time-series"] });
        const { service_id: existingId } = made;
        const program = (addons: ("time-series" | "ai")[]) => () => {
            new Service("orders", { existingId, addons, allowReplace: true });
        };
        await stack.up(program(["time-series"]));
        const { errors } = await failed(stack.up(program(["time-series", "ai"])));
        expect(errors.join("\n")).toContain("it is the one that is being replaced");
        expect(idsOf(stack)).toEqual([existingId]);
    },
    limitMs,
);
