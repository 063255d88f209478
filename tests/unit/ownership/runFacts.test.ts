import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factFiles, FactFilesError } from "../../../provider/ownership/runFacts";

const address = "127.0.0.1:4000";
let root: string;

beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "facts-"));
});

afterEach(() => {
    rmSync(root, { recursive: true, force: true });
});

const runFolder = () => join(root, "127.0.0.1_4000");

it("processes of one run receive the facts of the others, each once and in order, and not their own", () => {
    const [first, second] = [factFiles(address, root), factFiles(address, root)];
    first.publish({ urn: "a" });
    expect(second.received()).toEqual([{ urn: "a" }]);
    second.publish({ urn: "b" });
    first.publish({ urn: "c" });
    expect(second.received()).toEqual([{ urn: "c" }]);
    expect(second.received()).toEqual([]);
    expect(first.received()).toEqual([{ urn: "b" }]);
});

it("a process that starts late receives the earlier facts, also those of a program that has ended", () => {
    const first = factFiles(address, root);
    first.publish({ urn: "a" });
    writeFileSync(join(runFolder(), `${endedProcess()}-program.jsonl`), '{"urn":"b"}\n');
    const urns = factFiles(address, root)
        .received()
        .map(({ urn }) => urn);
    expect(urns.sort()).toEqual(["a", "b"]);
});

it("the runs of two engines share nothing", () => {
    const [first, second] = [factFiles(address, root), factFiles("127.0.0.1:4001", root)];
    first.publish({ urn: "a" });
    expect(second.received()).toEqual([]);
});

it("the facts of a process that has ended its part are gone, also for a later engine at the same address", () => {
    const [first, second] = [factFiles(address, root), factFiles(address, root)];
    first.publish({ urn: "a" });
    second.publish({ urn: "b" });
    first.end?.();
    expect(factFiles(address, root).received()).toEqual([{ urn: "b" }]);
});

it("a process with many runs has one listener for its end", () => {
    factFiles(address, root).publish({ urn: "a" });
    const count = process.listenerCount("exit");
    factFiles("127.0.0.1:4001", root).publish({ urn: "a" });
    expect(process.listenerCount("exit")).toBe(count);
});

it("an incomplete line is received when it is complete", () => {
    const facts = factFiles(address, root);
    facts.received();
    const file = join(runFolder(), `${process.pid}-other.jsonl`);
    writeFileSync(file, '{"urn":"a"}\n{"ur');
    expect(facts.received()).toEqual([{ urn: "a" }]);
    writeFileSync(file, '{"urn":"a"}\n{"urn":"b"}\n');
    expect(facts.received()).toEqual([{ urn: "b" }]);
});

it("the folder of a run whose processes have all ended is removed, and its facts are not received", () => {
    const ended = join(root, "127.0.0.1_4000");
    const other = join(root, "127.0.0.1_4002");
    for (const folder of [ended, other]) {
        mkdirSync(folder);
        writeFileSync(join(folder, `${endedProcess()}-old.jsonl`), '{"urn":"old"}\n');
    }
    expect(factFiles(address, root).received()).toEqual([]);
    expect(existsSync(other)).toBe(false);
});

it("only the user can read the facts", () => {
    factFiles(address, root).publish({ urn: "a" });
    const [file = ""] = readdirSync(runFolder());
    expect(statSync(runFolder()).mode & 0o077).toBe(0);
    expect(statSync(join(runFolder(), file)).mode & 0o077).toBe(0);
});

it("a folder that others can access is not used", () => {
    chmodSync(root, 0o777);
    const facts = factFiles(address, root);
    facts.publish({ urn: "a" });
    expect(facts.received()).toEqual([]);
    expect(facts.problem).toBeInstanceOf(FactFilesError);
    expect(facts.problem?.message).toMatch(/Set TMPDIR to a folder/);
    expect(readdirSync(root)).toEqual([]);
});

/** The id of a process that has ended. */
function endedProcess(): number {
    return Number(execFileSync(process.execPath, ["-p", "process.pid"]).toString());
}
