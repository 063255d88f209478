import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AxiosAdapter } from "axios";
import { main } from "../../../cli/orphans";
import { defaultToken } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { call, network, peering, replicaSet, service } from "../../support/fixtures";
import { inProcess } from "../../support/inProcess";
import { simulate, type Simulation } from "../../support/simulation";
import { newFolder } from "../../support/folder";
import { json, serve } from "../../support/loopback";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

/** A world with one resource of each type. */
async function world(token?: string) {
    const simulation = await simulate({ ...(token && { token }) });
    const { run } = simulation;
    const { id: vpcId } = await Vpc.create({ ...network, name: "net" }, run());
    const { id: peeringId } = await Peering.create(peering(vpcId), run());
    const { id: serviceId } = await Service.create(service({ name: "orders" }), run());
    const { id: setId } = await ReadReplicaSet.create({ ...replicaSet(serviceId), name: "reports" }, run());
    return { simulation, ids: { Vpc: vpcId, Peering: peeringId, Service: serviceId, ReadReplicaSet: setId } };
}

/** An API whose only resource is this service. */
const only =
    (change: object): AxiosAdapter =>
    (config) => {
        const item = {
            project_id: "emulator01",
            region_code: "r",
            resources: [],
            service_type: "POSTGRES",
            created: "2030-01-01T00:00:00Z",
            status: "READY",
            ...change,
        };
        const data = config.url?.endsWith("/services") ? JSON.stringify([item]) : "[]";
        return Promise.resolve({ status: 200, statusText: "", headers: {}, data, config });
    };

function exportOf(ids: Readonly<Record<string, string>>, more: object = {}, projectId = "emulator01"): string {
    const resources = Object.entries(ids).map(([type, id]) => ({
        type: `pulumi-nodejs:dynamic/clouddb:${type}`,
        id,
        outputs: { projectId },
        ...more,
    }));
    return JSON.stringify({ version: 3, deployment: { resources } });
}

const folder = newFolder();
const tokenFile = join(folder, "token");
beforeAll(() => writeFileSync(tokenFile, `${defaultToken}\n`));

async function orphans(
    { emulator, clock }: Simulation,
    argv: readonly string[],
    files: Readonly<Record<string, string | Buffer | Error>> = { a: exportOf({}) },
    env: Readonly<Record<string, string | undefined>> = {},
    adapter = inProcess(emulator),
) {
    const out = { stdout: "", stderr: "" };
    const code = await main(argv, {
        stdout: (text) => (out.stdout += text),
        stderr: (text) => (out.stderr += text),
        env: { ...emulator.env, ...env },
        read: async (file) => {
            const { [file]: found = "" } = files;
            return found instanceof Error ? Promise.reject(found) : Buffer.from(found);
        },
        now: () => clock.now(),
        adapter,
    });
    return { code, ...out };
}

interface Json {
    readonly orphans: readonly { readonly type: string; readonly id: string; name: string; readonly adopt: string }[];
}

it("clouddb-orphans skips a malformed entry with a warning and lists all others", async () => {
    const { simulation, ids } = await world();
    const inOrder = inProcess(simulation.emulator);
    const withOdd: AxiosAdapter = async (config) => {
        const response = await inOrder(config);
        return { ...response, data: JSON.stringify([{}, ...(JSON.parse(String(response.data)) as unknown[])]) };
    };
    const { code, stdout, stderr } = await orphans(simulation, ["a"], undefined, {}, withOdd);
    expect(Object.values(ids).filter((id) => !stdout.includes(id))).toEqual([]);
    expect(stderr).toContain("malformed");
    expect(code).toBe(1);
});

it("clouddb-orphans lists resources that are in none of the stacks with their sizes and what adopts them, and changes nothing", async () => {
    const { simulation, ids } = await world();
    simulation.changes();
    simulation.clock.advance(3_600_000);
    const { Vpc, Peering, ...others } = ids;
    const { code, stdout } = await orphans(simulation, ["a"], { a: exportOf({ Vpc, Peering }) });
    expect(code).toBe(1);
    const adoptionOf = (id: string) => `existingId: "${id}"`;
    const [head, ...lines] = stdout.split("\n");
    expect(head).toBe("Project emulator01: 2 not managed by the given stacks; other stacks may manage them");
    const { ReadReplicaSet: setId, Service: serviceId } = others;
    expect(lines.slice(1, 4).map((line) => line.split(/ {2,}/))).toEqual([
        ["TYPE", "ID", "NAME", "STATUS", "AGE", "SIZE", "ADOPT WITH"],
        ["ReadReplicaSet", setId, "reports", "active", "500m/2GB", adoptionOf(setId)],
        ["Service", serviceId, "orders", "READY", "1 h", "500m/2GB", adoptionOf(serviceId)],
    ]);
    expect(simulation.changes()).toEqual([]);
});

it("clouddb-orphans prints an input that adopts each resource without a change", async () => {
    const { simulation, ids } = await world();
    const { stdout } = await orphans(simulation, ["a", "--json"]);
    const { orphans: found } = JSON.parse(stdout) as Json;
    expect(Object.fromEntries(found.map(({ type, id }) => [type, id]))).toEqual(ids);
    const required: Readonly<Record<string, object>> = {
        Vpc: network,
        Peering: peering(ids.Vpc),
        ReadReplicaSet: { ...replicaSet(ids.Service), name: "reports" },
    };
    simulation.changes();
    for (const { type, adopt } of found) {
        const existing = JSON.parse(`{ ${adopt.replace("existingId", '"existingId"')} }`) as { existingId: string };
        const inputs = { ...required[type], ...existing, projectId: "emulator01", __urn: `urn::${type}` };
        await lifecycles[type as "Service"].create(inputs, simulation.run());
    }
    expect(simulation.changes()).toEqual([]);
});

it("clouddb-orphans recognizes the resources of a stack that stores its project id as a secret", async () => {
    const { simulation, ids } = await world();
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
    const files = { a: exportOf(ids, { outputs: { projectId: secret } }) };
    expect(await orphans(simulation, ["a"], files)).toMatchObject({ code: 0, stderr: "" });
});

it("clouddb-orphans escapes ids for the shell and control characters for the terminal", async () => {
    const odd = only({ service_id: 'a"; touch /tmp/owned; echo "$(id)!x', name: "n" });
    const { stdout } = await orphans(await simulate(), ["a", "--delete-commands"], undefined, {}, odd);
    const [line = ""] = stdout.split("\n").filter((text) => text.includes("curl"));
    expect(line).toMatch(/services\/a%22%3B%20touch%20%2Ftmp%2Fowned%3B%20echo%20%22%24\(id\)%21x"$/);
});

it("clouddb-orphans prints names and statuses that control nothing, and the exact id to adopt", async () => {
    const simulation = await simulate();
    const [name, id] = ["n\u009b31m\u202e\n::error::x ##[error]y", "::error::id\u001b##[error]"];
    const odd = only({ service_id: id, name, created: "never", status: "READY\u001b[2J\n" });
    const controls = /(?!\n)[\p{Cc}\p{Bidi_Control}]|^\s*::|##\[/mu;
    const asText = await orphans(simulation, ["a"], undefined, {}, odd);
    expect(asText).toMatchObject({ code: 1, stderr: "" });
    expect(asText.stdout).not.toMatch(controls);
    expect(asText.stdout).toContain("READY?[2J");
    const asJson = await orphans(simulation, ["a", "--json"], undefined, {}, odd);
    expect(asJson.stdout).not.toMatch(controls);
    const [found] = (JSON.parse(asJson.stdout) as Json).orphans;
    expect(found?.name).toBe(name);
    expect(found?.adopt).not.toMatch(controls);
    expect(JSON.parse(found?.adopt.replace("existingId: ", "") ?? "")).toBe(id);
});

it.each([
    Object.assign(new Error("EISDIR: illegal operation on a directory, read"), { code: "EISDIR" }),
    new TypeError("Cannot read properties of null"),
])(
    "clouddb-orphans exits with 2 if it fails, because 1 means that there are unmanaged resources: %s",
    async (thrown) => {
        const { code, stderr } = await orphans(await simulate(), ["a"], { a: thrown });
        expect(code).toBe(2);
        expect(stderr).toMatch(/^clouddb-orphans:.+\nContinue:.+\n$/);
    },
);

it("clouddb-orphans does not list resources that are being created, and prints their number", async () => {
    const { simulation, ids } = await world();
    const { emulator, clock } = simulation;
    const created = await call(simulation, "createService", {}, { name: "new" });
    const size = { nodes: 1, cpu_millis: 500, memory_gbs: 2 };
    await call(simulation, "createReplicaSet", { service_id: ids.Service }, { name: "new", ...size });
    const { code, stdout } = await orphans(simulation, ["a"], { a: exportOf(ids) });
    expect(stdout).toBe(
        "Project emulator01: no unmanaged resources. Managed by the given stacks: 4\n" +
            "Not listed because they are being created: 2\n",
    );
    expect(code).toBe(0);

    emulator.setServiceStatus(created.service_id, "CONFIGURING");
    clock.advance(13 * 3_600_000);
    expect((await orphans(simulation, ["a"], { a: exportOf(ids) })).stdout).toContain(created.service_id);
});

it("clouddb-orphans prints deletions only with --delete-commands, in an order that the API accepts", async () => {
    const { simulation, ids } = await world();
    const { emulator, clock } = simulation;
    const outputOf = async (...options: string[]) => (await orphans(simulation, ["a", ...options])).stdout;
    const pathsIn = (text: string) => [...text.matchAll(/CLOUDDB_BASE_URL(\/[^\s"\\]+)/g)].map(([, path = ""]) => path);
    expect([await outputOf(), await outputOf("--json")].flatMap(pathsIn)).toEqual([]);
    const paths = pathsIn(await outputOf("--delete-commands"));
    expect(pathsIn(await outputOf("--delete-commands", "--json"))).toEqual(paths);
    expect(paths).toHaveLength(Object.keys(ids).length);
    for (const path of paths) {
        const headers = { authorization: `Bearer ${emulator.token}` };
        const answer = await fetch(`${emulator.url}${path}`, { method: "DELETE", headers });
        expect([202, 204]).toContain(answer.status);
        clock.advance(60_000);
    }
});

it("clouddb-orphans does not count external resources or those of another project as managed", async () => {
    const { simulation, ids } = await world();
    const files = { a: exportOf(ids, { external: true }), b: exportOf(ids, {}, "otherproj1") };
    const { stdout } = await orphans(simulation, ["a", "b"], files);
    expect(Object.values(ids).filter((id) => !stdout.includes(id))).toEqual([]);
});

const bearer = `Bearer ${defaultToken}`;

it.each<[env: { CLOUDDB_ACCESS_TOKEN?: string; CLOUDDB_ACCESS_TOKEN_FILE?: string }, authorization: string]>([
    [{ CLOUDDB_ACCESS_TOKEN: defaultToken }, bearer],
    [{ CLOUDDB_ACCESS_TOKEN: 'a"$(id)\\b' }, 'Bearer a"$(id)\\b'],
    [{ CLOUDDB_ACCESS_TOKEN: "emulator:a'\\" }, `Basic ${Buffer.from("emulator:a'\\").toString("base64")}`],
    [{ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_ACCESS_TOKEN_FILE: tokenFile }, bearer],
])("a shell sends the delete commands with %j, and no process has the token in its arguments", async (env, header) => {
    const { CLOUDDB_ACCESS_TOKEN: token } = env;
    const { simulation } = await world(token === "" ? undefined : token);
    const { stdout } = await orphans(simulation, ["a", "--delete-commands"], undefined, env);
    const lines = stdout.split("\n").filter((line) => line.includes("curl"));
    expect(lines).toHaveLength(4);
    expect(stdout).not.toContain(token === "" || token === undefined ? defaultToken : token);

    const { url, received } = await serve((response) => json(response, 202, {}));
    const bin = newFolder();
    // The arguments of each process that is not a part of the shell.
    const script = `#!/bin/sh\nprintf '%s\\n' "$0" "$@" >> ${bin}/arguments\nPATH=${process.env.PATH}\nexec "\${0##*/}" "$@"\n`;
    for (const name of ["curl", "cat", "printf"]) {
        writeFileSync(join(bin, name), script, { mode: 0o755 });
    }
    const path = `${bin}:${process.env.PATH}`;
    const { stderr } = await promisify(execFile)("sh", ["-c", lines[0] ?? ""], {
        env: { ...env, PATH: path, CLOUDDB_BASE_URL: url, no_proxy: "*" },
    });
    expect(received.map(({ method, headers }) => [method, headers.authorization, stderr])).toEqual([
        ["DELETE", header, expect.anything()],
    ]);
    const given = readFileSync(join(bin, "arguments"), "utf8");
    expect(given).toContain("--config");
    expect(given).not.toContain(token === "" || token === undefined ? defaultToken : token);
});

const mistyped = "mistyped01";

it.each<[string[], Readonly<Record<string, string | undefined>>, string]>([
    [["a"], { CLOUDDB_BASE_URL: undefined }, "CLOUDDB_BASE_URL"],
    [["a"], { CLOUDDB_ACCESS_TOKEN: " " }, "CLOUDDB_ACCESS_TOKEN"],
    [["a"], { CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_ACCESS_TOKEN_FILE: "/nowhere" }, "CLOUDDB_ACCESS_TOKEN_FILE"],
    [["a"], { CLOUDDB_ACCESS_TOKEN_FILE: "token" }, "CLOUDDB_ACCESS_TOKEN_FILE"],
    [["a"], { CLOUDDB_PROJECT_ID: "" }, "CLOUDDB_PROJECT_ID"],
    [["a"], { CLOUDDB_BASE_URL: "https://example.com" }, "CLOUDDB_BASE_URL"],
    [["a"], { CLOUDDB_BASE_URL: "http://example.com/v1" }, "CLOUDDB_ALLOW_INSECURE"],
    [["a"], { CLOUDDB_PROJECT_ID: mistyped }, "(CLOUDDB_PROJECT_ID)"],
    [["--project", mistyped, "a"], {}, "(--project)"],
])("the error of clouddb-orphans %j with %j names the variable, not a setting of a stack", async (argv, env, place) => {
    const { code, stderr } = await orphans(await simulate(), argv, undefined, env);
    expect(code).toBe(2);
    expect(stderr).toContain(place);
    expect(stderr).not.toContain("clouddb:");
});

it.each([
    [[], {}, "EXPORT"],
    [["--jsno"], {}, "'--jsno'"],
    ...["no json", Buffer.from("{}", "utf16le")].map((a) => [["a"], { a }, "UTF-8"]),
    ...["{}", "\ufeff{}"].map((a) => [["a"], { a }, "deployment"]),
    ...[[null], ["x"], [{}], [{ type: 1 }], {}, "x"].map((resources) => [
        ["a"],
        { a: JSON.stringify({ deployment: { resources } }) },
        "entry",
    ]),
] as [string[], Record<string, string | Buffer>, string][])(
    "the error of clouddb-orphans with %j %j begins with the command and has no stack trace",
    async (argv, files, text) => {
        const { code, stderr } = await orphans(await simulate(), argv, files);
        expect(code).toBe(2);
        expect(stderr).toContain(text);
        expect(stderr).toMatch(/^clouddb-orphans:/);
        expect(stderr).not.toMatch(/^\s+at\b/m);
    },
);
