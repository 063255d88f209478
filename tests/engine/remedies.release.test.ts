import { Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";
import { existingResources } from "../support/existing";
import { runShell } from "../support/project";

// The ways out of messages about adopted resources, followed literally. tests/languages/refusedRuns.test.ts has each case of
// docs/protection.md.

/** A way out of a message, by its label. */
const wayOf = (error: string, label: string): string =>
    error
        .split("\n")
        .find((line) => line.startsWith(`${label}: `))
        ?.slice(label.length + 2) ?? "";

test("a VPC is deleted as the message says although an adopted service, whose program never declared its vpcId, uses it", async () => {
    const other = await startStack();
    const { vpc, service } = await existingResources(other.emulator);
    other.emulator.updateService(service, { vpcId: vpc });
    for (const { id } of other.emulator.snapshot().peerings) {
        other.emulator.deletePeering(id);
    }
    const detaching = (declaresVpc: boolean, vpcId?: string) => () => {
        if (declaresVpc) {
            new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1", existingId: vpc });
        }
        new Service("orders", { existingId: service, ...(vpcId === undefined ? {} : { vpcId }) });
    };
    await other.up(detaching(true));
    const { errors } = await failed(other.up(detaching(false)));
    const way = wayOf(errors.join("\n"), "Keep what uses it");
    const [, vpcId = ""] =
        /^declare vpcId: "(\d+)" in each adopted service without it, and run `pulumi up`; then /.exec(way) ?? [];
    expect(vpcId).toBe(vpc);
    // The VPC is not in the program any more, so its deletion fails once more.
    await failed(other.up(detaching(false, vpcId)));
    await other.up(detaching(false));
    expect(other.emulator.snapshot()).toMatchObject({ vpcs: [], services: [{ service_id: service }] });
    expect((await other.up()).operations).toEqual({ orders: "same" });
});

test("an adoption of a resource with another value is corrected as the message says", async () => {
    let hidden = true;
    const other = await startStack({
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (!hidden || operationId !== "getService") {
                return answer;
            }
            hidden = false;
            return {
                ...answer,
                body: JSON.stringify({ ...(JSON.parse(answer.body) as object), region_code: "", status: "UPGRADING" }),
            };
        },
    });
    const wrong = await other.emulator.createService({ name: "wrong", region_code: "eu-west-1" });
    const right = await other.emulator.createService({ name: "right", region_code: "us-east-1" });
    const adopting = (existingId: string, regionCode: string) => () =>
        new Service("orders", { existingId, regionCode, deletionProtection: true });
    const { errors } = await failed(other.up(adopting(wrong.id, "us-east-1")));
    expect(errors.join()).toContain("was adopted with another value than the declared one");
    const [command = ""] = [/`(pulumi state delete[^`]+)`/.exec(wayOf(errors.join("\n"), "Adopt another one"))?.[1]];

    await other.up(adopting(wrong.id, "eu-west-1"));
    expect((await other.up()).operations).toEqual({ orders: "same" });

    const env = { ...other.environment(), PULUMI_STACK: "test", PULUMI_SKIP_CONFIRMATIONS: "true" };
    await runShell(command, other.folder, env);
    await other.up(adopting(right.id, "us-east-1"));
    expect((await other.state("orders")).id).toBe(right.id);
    expect(other.emulator.snapshot().services).toHaveLength(2);
});
