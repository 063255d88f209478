import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationId } from "../../provider/api/contract";
import { describedOperations, requestViolation, responseViolation } from "../support/described";
import { read, root } from "../support/documents";
import { callOperation, exercises, prepare } from "./exercises";
import { startClient } from "./world";

it("the copy of the published description is the one that is shared", () => {
    const shared = join(root, "../shared/api/published.json");
    if (existsSync(shared)) {
        expect(read("emulator/published.json")).toBe(readFileSync(shared, "utf8"));
    }
});

const rows = Object.entries(exercises) as [OperationId, (typeof exercises)[OperationId]][];

it.each(rows)("the request of %s and the answer of the emulator are in the published description", async (id) => {
    const world = await startClient();
    const ids = await prepare(id, world);
    await callOperation(id, world.client, world.project, ids);
    const { exchange, response } = world.passed.at(-1) ?? {};
    expect(requestViolation(exchange?.request ?? { method: "", path: "" })).toBeUndefined();
    const body: unknown = response?.body ? JSON.parse(response.body) : undefined;
    expect(responseViolation(describedOperations[id], response?.status ?? 0, body)).toBeUndefined();
});
