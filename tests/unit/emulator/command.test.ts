import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { parse } from "yaml";
import { defaultDurations } from "../../../emulator/durations";
import { main, type CommandIo } from "../../../emulator/main";
import { resolveSettings } from "../../../provider/api/settings";
import { blocksOf } from "../../support/documents";
import { startWorld } from "../../support/emulator";

/** Runs the command, and stops it when `whileRunning` is done. */
async function run(
    argv: string[],
    env: CommandIo["env"] = {},
    whileRunning: (url: string) => Promise<unknown> = () => Promise.resolve(),
) {
    const stop = new AbortController();
    const out: string[] = [];
    const err: string[] = [];
    let work: Promise<unknown> = Promise.resolve();
    const code = await main(argv, {
        env,
        stop: stop.signal,
        stderr: (line) => err.push(line),
        stdout: (line) => {
            out.push(line);
            const url = /^LISTENING (.*)$/.exec(line)?.[1];
            if (url) {
                work = whileRunning(url).finally(() => stop.abort());
            }
        },
    });
    await work;
    return { code, out, err };
}

/** The parts of a compose file that this test uses. */
interface Compose {
    services: Record<
        "emulator" | "program",
        { command: string; environment: Record<string, string>; healthcheck: { test: string } }
    >;
}

const statusWith = (token: string, path: string) => async (url: string) =>
    expect((await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);

it("clouddb-emulator prints the addresses of the API and of the page when it is ready, and exits with 0 when it is stopped", async () => {
    const { code, out, err } = await run([], {}, statusWith("emulator-token", "/projects/emulator01/services"));
    expect(code).toBe(0);
    expect(out.map((line) => line.replace(/:\d+/, ""))).toEqual([
        "LISTENING http://127.0.0.1/v1",
        "PAGE http://127.0.0.1/",
    ]);
    expect(err).toEqual([]);
});

it("the emulator of the documented compose file accepts its health check, and the requests of its program", async () => {
    const [text = ""] = blocksOf("docs/emulator.md", ["yaml"]).map((block) => block.text);
    const { emulator, program } = (parse(text) as Compose).services;
    const settings = resolveSettings({ config: () => undefined, env: program.environment });
    const [, ...argv] = emulator.command.split(" ");
    const { code } = await run([...argv, "--port", "0"], emulator.environment, async (url) => {
        const { port } = new URL(url);
        expect((await fetch(url.replace("/v1", emulator.healthcheck.test.replace(/.*:8080/, "")))).status).toBe(200);
        const statusTo = async (host: string) => {
            const path = `/v1/projects/${program.environment.CLOUDDB_PROJECT_ID}/services`;
            const authorization = `Bearer ${program.environment.CLOUDDB_ACCESS_TOKEN}`;
            const [response] = (await once(get({ port, path, headers: { host, authorization } }), "response")) as [
                IncomingMessage,
            ];
            return response.resume().statusCode;
        };
        expect(await statusTo(new URL(settings.baseUrl).host)).toBe(200);
        expect(await statusTo("attacker.example:8080")).toBe(403);
    });
    expect(code).toBe(0);
    expect(argv).toEqual(expect.arrayContaining(["--port", new URL(settings.baseUrl).port]));
});

it("clouddb-emulator reads token and project from the environment, and options have priority", async () => {
    const env = { CLOUDDB_ACCESS_TOKEN: "from-env", CLOUDDB_PROJECT_ID: "fromenv001" };
    await run([], env, statusWith("from-env", "/projects/fromenv001/vpcs"));
    const argv = ["--port", "0", "--token", "canary-token", "--project", "myproject1"];
    const { code, out, err } = await run(argv, env, statusWith("canary-token", "/projects/myproject1/vpcs"));
    expect(code).toBe(0);
    expect([...out, ...err].join()).not.toContain("canary-token");
});

it("clouddb-emulator accepts each duration", async () => {
    for (const name of Object.keys(defaultDurations)) {
        expect((await run(["--duration", `${name}=5`])).code).toBe(0);
    }
    const argv = ["--duration", "queued=0", "--duration", "create=0"];
    await run(argv, {}, async (url) => {
        const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
        const services = `${url}/projects/emulator01/services`;
        await fetch(services, { method: "POST", headers, body: JSON.stringify({ name: "db" }) });
        expect(await (await fetch(services, { headers })).json()).toMatchObject([{ status: "READY" }]);
    });
});

it("clouddb-emulator prints its help, with each duration", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(Object.keys(defaultDurations).filter((name) => !out.join().includes(name))).toEqual([]);
});

it.each([
    ["an unknown option", ["--prot", "1"], "--prot"],
    ["an option without its value", ["--port"], "--port"],
    ["an argument", ["start"], "start"],
    ["a port that is not a number", ["--port", "http"], "--port"],
    ["a key pair without its secret", ["--key-pair", "me"], "--key-pair"],
    ["a speed of zero", ["--speed", "0"], "speed"],
    ["a duration without a time", ["--duration", "resize"], "NAME=MS"],
    ["an invalid fault", ["--fault", "GET"], "Fault 1"],
    ["an invalid probability", ["--random-faults", "5"], "--random-faults"],
])("clouddb-emulator rejects %s with one line that refers to --help", async (_, argv, message) => {
    const { code, out, err } = await run(argv);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([expect.stringMatching(/^clouddb-emulator:.*--help\.$/)]);
    expect(err[0]).toContain(message);
});

it.each([
    ["--fault listProjects#2:503 --fault GET#3:502", [200, 503, 502, 200]],
    ["--random-faults 0.000001 --rate 2", [200, 200, 429]],
])("clouddb-emulator injects the faults of %s", async (options, expected) => {
    const statuses: number[] = [];
    await run(options.split(" "), {}, async (url) => {
        const headers = { authorization: "Bearer emulator-token" };
        while (statuses.length < expected.length) {
            statuses.push((await fetch(`${url}/projects`, { headers })).status);
        }
    });
    expect(statuses).toEqual(expected);
});

it("clouddb-emulator reports in one line that its port is in use", async () => {
    const { emulator } = await startWorld();
    const { code, err } = await run(["--port", String(emulator.port)]);
    expect(code).toBe(1);
    expect(err).toEqual([
        `clouddb-emulator: Port ${emulator.port} is in use. Choose another port, or 0 for any free port.`,
    ]);
});
