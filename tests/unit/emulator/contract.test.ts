import { loadContract } from "../../../emulator/contract";
import { kindFacts } from "../../../emulator/kinds";
import { answerFault } from "../../support/responses";

it("every operation that describes one resource belongs to the facts of a kind", () => {
    const facts = Object.values(kindFacts);
    const ids = loadContract().operationIds;
    const creations = ids.filter((id) => /^(create|fork)/.test(id));
    expect(facts.flatMap(({ creates }) => creates).sort()).toEqual(creations.sort());
    const reads = ids.filter((id) => id.startsWith("get") && !["getAuthInfo", "getServiceLogs"].includes(id));
    expect(facts.flatMap(({ gets }) => gets).sort()).toEqual(reads.sort());
});

it("a response that violates the contract is detected", () => {
    expect(answerFault("listProjects", 200, [{ id: 1 }])).toContain("listProjects 200");
    expect(answerFault("deleteVpc", 204, {})).toContain("a body is not allowed");
    expect(answerFault("renameVpc", 200, { message: 1 })).toContain("/message");
    expect(answerFault("getVpc", 404, { code: "NOT_FOUND" })).toContain("message");
});
