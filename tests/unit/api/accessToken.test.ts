import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccessToken, type TokenOrigin } from "../../../provider/api/accessToken";
import { Client, readOptions } from "../../../provider/api/client";
import { ApiError, ConfigError } from "../../../provider/api/errors";
import { failureOf, leaksOf, token, withToken } from "../../support/client";
import { closeWorlds, startWorld } from "../../support/emulator";
import { TestClock } from "../../support/virtualClock";

let folder: string;
let path: string;

beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "clouddb-token-"));
    path = join(folder, "token");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterEach(closeWorlds);

const originOf = (file: string): TokenOrigin => ({ kind: "environment", name: "CLOUDDB_ACCESS_TOKEN_FILE", file });
const tokenIn = (file: string) => new AccessToken(originOf(file), { kind: "file", path: file });

/** Writes a file in one step, as tools do that rotate a token. */
function write(text: string): void {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
}

describe("a token file", () => {
    it.each([
        [`${token}\n`, "a line feed at the end"],
        [`${token}\r\n`, "a line end of Windows"],
        [`\ufeff${token}`, "a byte order mark"],
        [`\n  ${token}  \n\n`, "white space around it"],
    ])("a token file contains the token: %j, with %s", (text) => {
        write(text);
        expect(tokenIn(path).credentials).toEqual({ kind: "bearer", token });
    });

    it("a token file can contain a pair of keys", () => {
        write("PUBLIC:SECRET\n");
        expect(tokenIn(path).credentials).toEqual({ kind: "keyPair", publicKey: "PUBLIC", secretKey: "SECRET" });
    });

    it.each([
        ["", "is empty; write the access token to it"],
        [" \n", "is empty; write the access token to it"],
        [`${token} of-two-words`, "contains white space or other invalid characters; set only the token"],
        [`:${token}`, "is missing one of its two keys"],
        [Buffer.from(token, "utf16le").toString("latin1"), "contains white space or other invalid characters"],
        [token.repeat(1_000), "has more than 16384 bytes"],
    ])("a token file without a valid token fails, and the error contains no part of it", async (text, says) => {
        write(text);
        const error = await failureOf(
            Promise.resolve().then(() => tokenIn(path)),
            ConfigError,
        );
        expect(error.setting).toBe("CLOUDDB_ACCESS_TOKEN_FILE");
        expect(error.message).toContain(`The file ${path} (CLOUDDB_ACCESS_TOKEN_FILE) ${says}`);
        expect(leaksOf(error, token)).toEqual([]);
    });

    it("a token file that does not exist fails with its path", () => {
        expect(() => tokenIn(path)).toThrow(
            `The file ${path} (CLOUDDB_ACCESS_TOKEN_FILE) does not exist; correct the path.`,
        );
    });

    it("a folder or a pipe is not a token file, and reading it does not block", () => {
        const pipe = join(folder, "pipe");
        execFileSync("mkfifo", [pipe]);
        expect(() => tokenIn(folder)).toThrow("is not a regular file");
        expect(() => tokenIn(pipe)).toThrow("is not a regular file");
    });

    const isRoot = process.getuid?.() === 0;
    (isRoot ? it.skip : it)("a token file that this user may not read fails with what to do", () => {
        write(token);
        chmodSync(path, 0o000);
        expect(() => tokenIn(path)).toThrow("cannot be read; give the user of this process the permission to read it");
    });
});

describe("a token that the API rejects", () => {
    it("a token in a file is renewed if the file has another one, once for all requests that used the old one", () => {
        write("first");
        const held = tokenIn(path);
        const first = held.credentials;
        write("second");
        expect(held.credentials).toBe(first);
        expect(held.reject(first)).toMatchObject({ outlook: "renewed" });
        expect(held.credentials).toEqual({ kind: "bearer", token: "second" });
        write("third");
        expect(held.reject(first)).toMatchObject({ outlook: "renewed" });
        expect(held.credentials).toEqual({ kind: "bearer", token: "second" });
    });

    it("a token in a file is expired if the API has accepted one of this file, and invalid otherwise", () => {
        write("first");
        const held = tokenIn(path);
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "invalid" });
        held.accept();
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "expired" });
    });

    it("a token in a file that has worked may soon be replaced, even if the newest one is incomplete or not valid yet", () => {
        write("first");
        const held = tokenIn(path);
        held.accept();
        write("sec");
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "renewed" });
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "expired" });
        write("second");
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "renewed" });
    });

    it.each([
        ["is missing", () => rmSync(path), "does not exist"],
        ["is empty", () => write(""), "is empty"],
        ["is half written", () => write("half of a token"), "contains white space"],
    ])("the last token stays in use while the file %s", (_, damage, problem) => {
        write("first");
        const held = tokenIn(path);
        held.accept();
        damage();
        const rejected = held.reject(held.credentials);
        expect(rejected).toMatchObject({ outlook: "expired" });
        expect(rejected.problem).toContain(problem);
        expect(held.credentials).toEqual({ kind: "bearer", token: "first" });
    });

    it("a token that is not in a file stays invalid, even if the API has accepted it", () => {
        const held = new AccessToken({ kind: "config", name: "clouddb:accessToken" }, { kind: "bearer", token });
        held.accept();
        expect(held.reject(held.credentials)).toMatchObject({ outlook: "invalid", problem: undefined });
    });
});

describe("a client with a token file", () => {
    const secondToken = "second-t0ken";

    async function start(faults: readonly string[]) {
        const world = await startWorld({ callers: [{ token: secondToken, projects: ["emulator01"] }], faults });
        write(world.emulator.token);
        const clock = TestClock.automatic();
        const { baseUrl } = withToken(world.emulator.url);
        const settings = { baseUrl, credentials: { kind: "file", path }, origin: originOf(path) } as const;
        const client = new Client(settings, { clock, adapter: clock.network });
        const list = () =>
            client.call("listVpcs", { path: { project_id: world.project.slice("/projects/".length) } }, readOptions);
        return { ...world, clock, list };
    }

    it("a client continues with the new token if the old one expires", async () => {
        const { list, emulator } = await start(["listVpcs#2:tokenExpires"]);
        await expect(list()).resolves.toEqual([]);
        write(secondToken);
        await expect(list()).resolves.toEqual([]);
        await expect(list()).resolves.toEqual([]);
        expect(emulator.journal().map(({ status }) => status)).toEqual([200, 401, 200, 200]);
    });

    it("a client waits for a token that is written a little after the old one has expired", async () => {
        const { list, clock } = await start(["listVpcs#2:tokenExpires"]);
        await list();
        const rotated = clock.sleep(30_000).then(() => write(secondToken));
        await expect(list()).resolves.toEqual([]);
        await rotated;
    });

    it("a client fails after a minute if no new token is written, with the place of the token", async () => {
        const { list, clock } = await start(["listVpcs#2:tokenExpires"]);
        await list();
        rmSync(path);
        const beganAt = clock.now();
        const error = await failureOf(list(), Error);
        expect(clock.now() - beganAt).toBeGreaterThan(30_000);
        expect(clock.now() - beganAt).toBeLessThanOrEqual(60_000);
        expect(error.message).toContain(
            `The API rejected the token in the file ${path} (CLOUDDB_ACCESS_TOKEN_FILE): write a valid one to the file.`,
        );
        expect(error.message).toContain("does not exist");
    });

    it("a client with a wrong token fails within seconds", async () => {
        const { list, clock } = await start(["listVpcs:tokenExpires"]);
        const beganAt = clock.now();
        const error = await failureOf(list(), ApiError);
        expect(error.rejectedToken?.outlook).toBe("invalid");
        expect(clock.now() - beganAt).toBeLessThan(2_000);
    });
});
