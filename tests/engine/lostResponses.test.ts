import type { Emulator, EmulatorOptions } from "../../emulator";
import { Service } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, typeToken } from "../support/engine";

afterAll(removeStacks);

const urn = `urn:pulumi:test::tests::${typeToken("Service")}::orders`;

/** Sends the create request of another stack or of a killed run. */
async function createElsewhere(emulator: Emulator, name: string): Promise<{ id: string; password: string }> {
    const { body } = await emulator.handle({
        method: "POST",
        path: `/v1/projects/${emulator.projectId}/services`,
        headers: { Authorization: `Bearer ${emulator.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name }),
    });
    const made = JSON.parse(body) as { service_id: string; initial_password: string };
    return { id: made.service_id, password: made.initial_password };
}

test("a stack whose create request was lost does not use the database of another stack with the same explicit name", async () => {
    let theirs: Promise<{ id: string; password: string }> | undefined;
    let lostAt: number | undefined;
    const options: EmulatorOptions = {
        intercept: async ({ operationId, at }, carryOut) => {
            if (operationId === "createService" && theirs === undefined) {
                lostAt ??= at;
            }
            if (operationId === "listServices" && theirs === undefined && at - (lostAt ?? at) > 2_000) {
                theirs = createElsewhere(stack.emulator, "orders");
                await theirs;
            }
            return carryOut();
        },
        faults: ["createService:reset-before"],
    };
    const stack = await startStack(options);
    const program = () => {
        new Service("orders", { name: "orders", password: "ours-and-only-ours" });
    };
    const { errors } = await failed(stack.up(program));
    const { id = "", password = "" } = (await theirs) ?? {};
    expect(errors.join()).toContain(`Either this run or somebody else created ${id} (`);
    expect(errors.join()).toContain(`existingId: "${id}"`);
    expect((await failed(stack.up(program))).errors.join()).toContain("already exists");
    await stack.destroy();
    expect(stack.emulator.passwordMatches(id, password)).toBe(true);
    expect(stack.calls()).toEqual(["createService", "createService"]);
});

test("a run right after a killed run warns about a duplicate that was not listed yet", async () => {
    let killed: Promise<{ id: string; password: string }> | undefined;
    const stack = await startStack({
        durations: { notListedAfterCreate: 150_000 },
        intercept: async ({ operationId }, carryOut) => {
            if (operationId === "listServices") {
                await (killed ??= createElsewhere(stack.emulator, "orders"));
            }
            return carryOut();
        },
    });
    const { messages } = await stack.up(() => {
        new Service("orders", { name: "orders" });
    });
    const { id: other = "" } = (await killed) ?? {};
    const { id } = await stack.state("orders");
    const lines = messages.orders ?? [];
    expect(lines).toContainEqual(
        expect.stringContaining(`Service "orders" exists 2 times. This resource manages ${id}`),
    );
    expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`${other} \\(created .* ago\\) is not managed by this resource`)),
    );
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`curl -X DELETE .*/services/${other}"$`)));
    expect(lines).toContainEqual(expect.stringContaining(`pulumi state delete '${urn}'`));
});
