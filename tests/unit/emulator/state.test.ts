import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { join } from "node:path";
import { startEmulator, virtualClock } from "../../../emulator";
import { identityOf } from "../../../emulator/processes";
import type { Wire } from "../../../emulator/wire";
import { startWorld, type TestWorld } from "../../support/emulator";
import { newFolder } from "../../support/folder";

/** There, no other process can open a lock while its owner runs, and reads the owner. */
const isWindows = process.platform === "win32";

let folder: string;
let stateFile: string;

beforeEach(() => {
    folder = newFolder();
    stateFile = join(folder, "state.json");
});

const failureOf = (options: Parameters<typeof startEmulator>[0]) =>
    startEmulator(options).catch((error: unknown) => error);

it("the state file preserves everything across a restart, including operations in progress", async () => {
    const clock = virtualClock();
    const first = await startWorld({ stateFile, clock });
    const { body } = await first.api<Wire["Service"]>("POST", `${first.project}/services`, { name: "db" });
    const vpc = await first.vpc();
    const before = first.emulator.snapshot();
    await first.emulator.close();

    const second = await startWorld({ stateFile, clock });
    expect(second.emulator.snapshot()).toEqual(before);
    expect(second.emulator.passwordMatches(body.service_id, body.initial_password ?? "")).toBe(true);
    expect((await second.api("DELETE", `${second.project}/vpcs/${vpc.id}`)).status).toBe(204);
    clock.advance(4_000);
    expect((await second.service(body.service_id)).status).toBe("READY");
});

it("a change that cannot be saved is answered with 507 and reported, and the next one is saved with it", async () => {
    const lines: string[] = [];
    const { api, emulator, project } = await startWorld({ stateFile, log: (line) => lines.push(line) });
    const spy = jest.spyOn(files, "writeFile").mockRejectedValue(new Error("no space left"));
    const answers = await Promise.all(["a", "b"].map((name) => api("POST", `${project}/services`, { name })));
    spy.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([507, 507]);
    const { message = "" } = answers[0]?.body ?? {};
    expect(message).toContain(stateFile);
    expect(lines).toContain(message);
    expect((await api("POST", `${project}/services`, { name: "c" })).status).toBe(202);
    await emulator.close();
    const { emulator: second } = await startWorld({ stateFile });
    expect(second.snapshot().services.map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

it("a state file that another program of Windows has open for a moment is replaced afterwards", async () => {
    const { api, project } = await startWorld({ stateFile });
    const inUse = Object.assign(new Error("operation not permitted, rename"), { code: "EPERM" });
    const spy = jest.spyOn(files, "rename").mockRejectedValueOnce(inUse).mockRejectedValueOnce(inUse);
    expect((await api("POST", `${project}/services`, { name: "a" })).status).toBe(202);
    expect(spy).toHaveBeenCalledTimes(3);
    spy.mockRestore();
    expect(readFileSync(stateFile, "utf8")).toContain('"name":"a"');
});

it("the state file contains the state of the last response without an orderly stop", async () => {
    const { emulator } = await startWorld({ stateFile });
    const { id } = await emulator.createService();
    const copy = join(folder, "copy.json");
    writeFileSync(copy, readFileSync(stateFile));
    const other = await startWorld({ stateFile: copy });
    expect(other.emulator.snapshot().services).toMatchObject([{ service_id: id }]);
});

it("the state file is complete after many concurrent changes, without other files, also that of a killed save", async () => {
    writeFileSync(`${stateFile}.tmp`, "{");
    const { api, emulator, project } = await startWorld({ stateFile });
    const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
    await Promise.all(names.map((name) => api("POST", `${project}/services`, { name })));
    expect(readFileSync(stateFile, "utf8")).toContain("db-19");
    await emulator.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
});

it("a save writes no file to which a link leads that somebody has made before", async () => {
    const other = join(folder, "other");
    writeFileSync(other, "kept");
    symlinkSync(other, `${stateFile}.tmp`);
    const { emulator } = await startWorld({ stateFile });
    await emulator.createService();
    await emulator.close();
    expect([readFileSync(other, "utf8"), readdirSync(folder)]).toEqual(["kept", ["other", "state.json"]]);
});

it("the state file contains no password and no token in plain text", async () => {
    const { api, project, readyService } = await startWorld({ stateFile });
    const { service_id, initial_password = "" } = await readyService();
    const before = readFileSync(stateFile, "utf8");
    await api("POST", `${project}/services/${service_id}/updatePassword`, { password: "canary-4711" });
    expect(before + readFileSync(stateFile, "utf8")).not.toMatch(
        new RegExp(`${initial_password}|canary-4711|emulator-token|emulator-secret`),
    );
});

it("the state file is locked against a second emulator", async () => {
    const { emulator } = await startWorld({ stateFile });
    expect(await failureOf({ stateFile })).toMatchObject({
        failure: "state-locked",
        message: expect.stringMatching(isWindows ? "another emulator" : `${process.pid}.*${stateFile}.lock`) as string,
    });
    await emulator.close();
    await startWorld({ stateFile });
});

it.each([
    ["a process that has ended", "999999999 1"],
    ["an earlier process with the same pid", `${process.pid} 1`],
    ["a process whose pid belongs to another program now", `${process.ppid} 1`],
    ["an unknown process", ""],
])("the state file can be locked after %s", async (_, owner) => {
    writeFileSync(`${stateFile}.lock`, owner);
    await startWorld({ stateFile });
    if (!isWindows) {
        expect(readFileSync(`${stateFile}.lock`, "utf8")).toBe(identityOf(process.pid));
    }
});

it.each([
    ["is cut off", '{"format":1,"world":{'],
    ["is empty", ""],
    ["is something else", '{"name":"package"}'],
    ["has another format", '{"format":2,"world":{}}'],
    ["lacks a part", '{"format":1,"world":{"projects":[]}}'],
])("a state file that %s is reported and not changed", async (_, content) => {
    writeFileSync(stateFile, content);
    const message = expect.stringContaining(stateFile) as string;
    expect(await failureOf({ stateFile })).toMatchObject({ failure: "state-unusable", message });
    expect(readFileSync(stateFile, "utf8")).toBe(content);
    expect(existsSync(`${stateFile}.lock`)).toBe(false);
});

it("the time of the emulator does not go back with the clock, also across a restart", async () => {
    let now = Date.UTC(2030, 0, 1);
    const clock = { now: () => now };
    const first = await startWorld({ clock, stateFile });
    const { body: made } = await first.api<Wire["Service"]>("POST", `${first.project}/services`, { name: "db" });
    const statusOf = async (world: TestWorld) => (await world.service(made.service_id)).status;
    now -= 3_600_000;
    expect(await statusOf(first)).toBe("QUEUED");
    expect((await first.api<Wire["Service"][]>("GET", `${first.project}/services`)).body).toHaveLength(1);
    now += 60_000;
    expect(await statusOf(first)).toBe("READY");
    await first.emulator.close();
    now -= 7_200_000;
    const second = await startWorld({ clock, stateFile });
    expect(await statusOf(second)).toBe("READY");
    const { body: later } = await second.api<Wire["Service"]>("POST", `${second.project}/services`, { name: "db" });
    expect(Date.parse(later.created)).toBeGreaterThanOrEqual(Date.parse(made.created) + 60_000);
});
