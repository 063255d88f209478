import { blind, losesPasswords } from "../support/lostAnswers";
import { deployed, failureOf, onlyNetwork, programOf, test } from "./shop";

// Two histories of tests/engine/truth.test.ts in YAML, whose runs get the plan from the plugin alone.

test("a password of an adopted service in YAML whose answer was lost is said in each run that changes nothing", async () => {
    const { emulator, project, up } = await deployed(onlyNetwork);
    const { id } = await emulator.createService({ name: "manual" });
    const program = (password = "") =>
        programOf(`  adopted:
    type: clouddb:Service
    properties: { existingId: ${id}${password} }
`);
    await up(program());
    emulator.addFaults([{ times: "all", effect: losesPasswords(id) }]);
    await failureOf(up(program(", password: the-first-password")));
    emulator.clearFaults();
    await up(program());
    const warning = "the password in force may be one that no state has: declare password";
    expect(await project.pulumi("preview", "--expect-no-changes")).toContain(warning);
    expect(await up(undefined, "--skip-preview", "--expect-no-changes")).toContain(warning);
    expect(await up(program(", password: the-second-password"))).not.toContain(warning);
});

test("a destroy in YAML with a token that sees nothing removes the entry with a warning, and keeps the database", async () => {
    const { project, ids, emulator } = await deployed(
        programOf(`  orders:
    type: clouddb:Service
    properties: { cpuMillis: 500, memoryGbs: 2, deletionProtection: false }
`),
    );
    const [id = ""] = ids();
    emulator.addFaults([{ times: "all", effect: blind }]);
    const where = `(${id}) was not found at ${emulator.url} in project "${emulator.projectId}"; if this token`;
    expect(await project.pulumi("destroy", "--yes")).toContain(where);
    expect(ids()).toEqual([id]);
});
