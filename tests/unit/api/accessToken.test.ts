import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readToken, type TokenSource } from "../../../provider/api/accessToken";
import { Client } from "../../../provider/api/client";
import { ApiError, ConfigError } from "../../../provider/api/callErrors";
import { failureOf, leaksOf, token, withSource } from "../../support/client";
import { startWorld } from "../../support/emulator";
import { TestClock } from "../../support/virtualClock";
import { newFolder } from "../../support/folder";

let folder: string;
let path: string;

beforeEach(() => {
    folder = newFolder();
    path = join(folder, "token");
});
const sourceOf = (file: string): TokenSource => ({
    kind: "environment",
    name: "CLOUDDB_ACCESS_TOKEN_FILE",
    value: { file },
});
const tokenIn = (file: string) => readToken(sourceOf(file));

const ofPair = (publicKey: string, secretKey: string) => {
    const encoded = Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
    return { kind: "keyPair", authorization: `Basic ${encoded}`, secrets: [encoded, secretKey] };
};

/** Writes a file in one step, as tools do that rotate a token. */
function write(text: string | Buffer): void {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
}

describe("a token", () => {
    const given = (text: string) => readToken({ kind: "config", name: "clouddb:accessToken", value: { token: text } });

    it("a token with a colon is a pair of keys, and the secret key can contain colons", () => {
        expect(given("PUBLIC:SECRET")).toEqual(ofPair("PUBLIC", "SECRET"));
        expect(given("a:b:c")).toEqual(ofPair("a", "b:c"));
    });

    it.each([
        { text: "two words-of-secret", reason: "a space inside" },
        { text: "line\nfeed-of-secret", reason: "a line feed, which could inject a header" },
        { text: "t\u00f6ken-of-secret", reason: "a character that is invalid in a header" },
        { text: ":half-of-secret", reason: "a pair without its public key" },
        { text: "half-of-secret:", reason: "a pair without its secret key" },
    ])("an invalid token fails, and the error does not contain it: $reason", async ({ text }) => {
        const error = await failureOf(() => given(text), ConfigError);
        expect(error.setting).toBe("clouddb:accessToken");
        expect(error.message).toContain("clouddb:accessToken");
        expect(leaksOf(error, "of-secret")).toEqual([]);
    });
});

describe("a token file", () => {
    it.each([
        [`${token}\n`, "a line feed at the end"],
        [`${token}\r\n`, "a line end of Windows"],
        [`\ufeff${token}`, "a byte order mark"],
        [`\n  ${token}  \n\n`, "white space around it"],
    ])("a token file contains the token: %j, with %s", (text) => {
        write(text);
        expect(tokenIn(path)).toEqual({ kind: "bearer", authorization: `Bearer ${token}`, secrets: [token] });
    });

    it("a token file can contain a pair of keys", () => {
        write("PUBLIC:SECRET\n");
        expect(tokenIn(path)).toEqual(ofPair("PUBLIC", "SECRET"));
    });

    it.each<[string | Buffer, string]>([
        ["", "an empty text"],
        [" \n", "white space"],
        [`${token} of-two-words`, "white space inside"],
        [`:${token}`, "a half of a pair"],
        [Buffer.from(token, "utf16le"), "UTF-16"],
        [Buffer.from(`${token}\u00fc`, "latin1"), "Latin-1"],
        [token.repeat(1_000), "more than 16384 bytes"],
    ])("a token file without a valid token fails, and the error contains no part of it: %j, %s", async (text) => {
        write(text);
        const error = await failureOf(() => tokenIn(path), ConfigError);
        expect(error.setting).toBe("CLOUDDB_ACCESS_TOKEN_FILE");
        expect(error.message).toContain(path);
        expect(leaksOf(error, token)).toEqual([]);
    });

    it("a missing file or a folder is not a token file", () => {
        expect(() => tokenIn(path)).toThrow(path);
        expect(() => tokenIn(folder)).toThrow(ConfigError);
    });

    const isWindows = process.platform === "win32";
    (isWindows ? it.skip : it)("a pipe is not a token file, and reading it does not block", () => {
        const pipe = join(folder, "pipe");
        execFileSync("mkfifo", [pipe]);
        expect(() => tokenIn(pipe)).toThrow(ConfigError);
    });

    const isRoot = process.getuid?.() === 0;
    (isRoot || isWindows ? it.skip : it)("a token file that this user may not read fails", () => {
        write(token);
        chmodSync(path, 0o000);
        expect(() => tokenIn(path)).toThrow(ConfigError);
    });
});

describe("a client with a token file", () => {
    const secondToken = "second-t0ken";

    async function start(faults: readonly string[]) {
        const { emulator } = await startWorld({ callers: [{ token: secondToken, projects: ["emulator01"] }], faults });
        write(emulator.token);
        const clock = TestClock.automatic();
        const client = new Client(withSource(emulator.url, sourceOf(path)), { clock, adapter: clock.network });
        const list = () => client.call("listVpcs", { path: { project_id: emulator.projectId } }, {});
        return { emulator, clock, list };
    }

    it("calls that are in flight while the token expires continue with the new one", async () => {
        const { list, emulator } = await start(["listVpcs:tokenExpires"]);
        write(secondToken);
        await expect(Promise.all([list(), list(), list()])).resolves.toEqual([[], [], []]);
        expect(emulator.journal().map(({ status }) => status)).toEqual([401, 401, 401, 200, 200, 200]);
    });

    it("continues if a tool renews the file up to half a minute after the token has expired", async () => {
        const { list, clock } = await start(["listVpcs:tokenExpires"]);
        clock.after(25_000, () => write(secondToken));
        await expect(list()).resolves.toEqual([]);
    });

    it.each([
        ["is missing", () => rmSync(path)],
        ["is empty", () => write("")],
        ["is half written", () => write("half of a token")],
    ])("a call fails after half a minute while the file %s, and the next one uses a new token", async (_, damage) => {
        const { list, clock } = await start(["listVpcs:tokenExpires"]);
        damage();
        const beganAt = clock.now();
        const error = await failureOf(list(), ApiError);
        expect(clock.now() - beganAt).toBeGreaterThanOrEqual(30_000);
        expect(clock.now() - beganAt).toBeLessThan(32_000);
        expect(error.status).toBe(401);
        expect(error.parts.ways?.map(({ label }) => label)).toEqual(["New token", "Unreadable"]);
        expect(error.message).toContain(path);
        write(secondToken);
        await expect(list()).resolves.toEqual([]);
    });
});
