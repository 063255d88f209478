import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../../../emulator";
import { main } from "../../../../emulator/main";
import { closeWorlds, startWorld } from "../../../support/emulator";

afterEach(closeWorlds);

const authorization = "Bearer emulator-token";

describe("over a socket", () => {
    const post = async (effect: string, signal: AbortSignal | null = null) => {
        const { emulator, project } = await startWorld({ faults: [`createService:${effect}`] });
        const answer = fetch(`${emulator.url}${project}/services`, {
            method: "POST",
            headers: { authorization, "content-type": "application/json" },
            body: JSON.stringify({ name: "db" }),
            signal,
        });
        return { emulator, project, answer };
    };

    it.each([
        ["before", 0],
        ["after", 1],
    ])("the connection breaks %s the request is carried out", async (when, made) => {
        const { emulator, answer } = await post(`reset-${when}`);
        await expect(answer).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
        expect(emulator.snapshot().counts.services.made).toBe(made);
    });

    it("the connection breaks in the middle of the response", async () => {
        const { emulator, answer } = await post("reset-middle");
        const { status, body } = await answer;
        expect(status).toBe(202);
        await expect(new Response(body).text()).rejects.toThrow("terminated");
        expect(emulator.snapshot().counts.services.made).toBe(1);
    });

    it("the connection breaks in the middle of a response without a body", async () => {
        const { emulator, project, vpc } = await startWorld({ faults: ["deleteVpc:reset-middle"] });
        const { id } = await vpc();
        const gone = fetch(`${emulator.url}${project}/vpcs/${id}`, { method: "DELETE", headers: { authorization } });
        await expect(gone).rejects.toThrow("fetch failed");
        expect(emulator.snapshot().vpcs).toEqual([]);
    });

    it("a response is delayed by a real clock", async () => {
        const emulator = await startEmulator({ faults: ["listProjects:delay,ms=120"] });
        const began = performance.now();
        expect((await fetch(`${emulator.url}/projects`, { headers: { authorization } })).status).toBe(200);
        expect(performance.now() - began).toBeGreaterThanOrEqual(115);
        await emulator.close();
    });

    it.each([
        { effect: "unanswered", made: 0 },
        { effect: "unanswered,carriedOut", made: 1 },
    ])(
        "a request has no response with the effect $effect, and $made services are created",
        async ({ effect, made }) => {
            const { emulator, answer } = await post(effect, AbortSignal.timeout(200));
            await expect(answer).rejects.toThrow("timeout");
            expect(emulator.snapshot().counts.services.made).toBe(made);
        },
    );

    it("the controls read, add and remove faults", async () => {
        const { emulator } = await startWorld();
        const control = async (method: string, path: string, body?: unknown) => {
            const answer = await fetch(emulator.url.replace("/v1", `/_emulator${path}`), {
                method,
                headers: { authorization },
                ...(body !== undefined && { body: JSON.stringify(body) }),
            });
            const text = await answer.text();
            return { status: answer.status, body: (text === "" ? undefined : JSON.parse(text)) as unknown };
        };
        const faults = ["GET:503", { operation: "setHA", effect: { kind: "reset", when: "before" } }];
        expect((await control("POST", "/faults", { faults })).status).toBe(204);
        expect((await control("GET", "/faults")).body).toEqual([
            { fault: "GET:503", hits: 0 },
            { fault: "setHA:reset-before", hits: 0 },
        ]);
        expect((await control("DELETE", "/faults")).status).toBe(204);
        expect((await control("GET", "/faults")).body).toEqual([]);
        expect((await control("PUT", "/rate", { perSecond: 5 })).status).toBe(204);
        for (const bad of [{ faults: ["GET:never"] }, {}, [], null]) {
            expect((await control("POST", "/faults", bad)).status).toBe(400);
        }
        expect((await control("PUT", "/rate", { perSecond: 0 })).status).toBe(400);
    });
});

describe("faults of the command", () => {
    const folder = mkdtempSync(join(tmpdir(), "faults-"));
    afterAll(() => rmSync(folder, { recursive: true }));

    const fileWith = (content: string) => {
        const file = join(folder, "faults.json");
        writeFileSync(file, content);
        return file;
    };

    /** Runs the command, lists the projects this number of times, and returns the statuses. */
    async function run(argv: string[], calls = 0) {
        const stop = new AbortController();
        const err: string[] = [];
        let asked = Promise.resolve<number[]>([]);
        const ask = async (url: string) => {
            const statuses: number[] = [];
            for (let index = 0; index < calls; index++) {
                statuses.push((await fetch(`${url}/projects`, { headers: { authorization } })).status);
            }
            stop.abort();
            return statuses;
        };
        const code = await main(argv, {
            env: {},
            stop: stop.signal,
            stderr: (line) => err.push(line),
            stdout: (line) => {
                asked = ask(line.replace("LISTENING ", ""));
            },
        });
        return { code, err, statuses: await asked };
    }

    it("the command accepts faults in short form, repeatedly", async () => {
        const { statuses } = await run(["--fault", "listProjects#2:503", "--fault", "GET#3:502"], 4);
        expect(statuses).toEqual([200, 503, 502, 200]);
    });

    it("the command accepts faults from a file, in both forms and with a rate", async () => {
        const content = { faults: ["GET#1:500", { from: 2, effect: { kind: "answer", status: 502 } }], rate: 3 };
        const { statuses } = await run(["--faults", fileWith(JSON.stringify(content))], 4);
        expect(statuses).toEqual([500, 502, 200, 429]);
    });

    it("the command accepts random faults", async () => {
        const { statuses } = await run(["--random-faults", "0.000001", "--rate", "2"], 3);
        expect(statuses).toEqual([200, 200, 429]);
    });

    it.each([
        ["an invalid fault", ["--fault", "GET"], "Fault 1"],
        ["an invalid probability", ["--random-faults", "5"], "--random-faults must be a number above 0 and up to 1"],
        ["a rate of zero", ["--rate", "0"], "rate must be a number above 0"],
        ["a rate that is not a number", ["--rate", "fast"], "--rate must be a number"],
        ["a missing file", ["--faults", "/nowhere.json"], "Faults file /nowhere.json is invalid: ENOENT"],
    ])("the command rejects %s in one line", async (_, argv, message) => {
        const { code, err } = await run(argv);
        expect(code).toBe(2);
        expect(err).toEqual([expect.stringContaining(message)]);
    });

    it.each([
        ["no JSON", "{", "JSON"],
        ["a list", "[]", "It must contain an object"],
        ["an unknown field", '{"fault": []}', "There is no field fault. Did you mean faults?"],
        ["a rate that is a string", '{"rate": "5"}', "rate must be a number"],
        ["faults that are not a list", '{"faults": {}}', "faults must be a list"],
        ["an invalid fault", '{"faults": ["GET:503", "GET:x"]}', 'Fault 2 ("GET:x"): There is no effect "x"'],
    ])("the command rejects a file with %s, and names it", async (_, content, message) => {
        const { code, err } = await run(["--faults", fileWith(content)]);
        expect(code).toBe(2);
        expect(err).toEqual([expect.stringMatching(/faults\.json is invalid: /)]);
        expect(err[0]).toContain(message);
    });
});
