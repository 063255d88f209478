import { loadContract } from "../../../emulator/contract";
import { creationOf } from "../../../emulator/kinds";
import { answerFault } from "../../support/responses";

it("every operation that creates a resource belongs to the facts of a kind", () => {
    const creations = loadContract().operationIds.filter((id) => /^(create|fork)/.test(id));
    expect(creations.filter((id) => creationOf(id) === undefined)).toEqual([]);
});

it("a response that violates the contract is detected", () => {
    expect(answerFault("listProjects", 200, [{ id: 1 }])).toBeDefined();
    expect(answerFault("deleteVpc", 204, {})).toBeDefined();
    expect(answerFault("renameVpc", 200, { message: 1 })).toContain("/message");
    expect(answerFault("getVpc", 404, { code: 404 })).toContain("code");
});
