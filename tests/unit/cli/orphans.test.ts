import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AxiosAdapter } from "axios";
import { main } from "../../../cli/orphans";
import { defaultToken } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { call, network, peering, replicaSet, service } from "../../support/fixtures";
import { inProcess } from "../../support/inProcess";
import { simulate, type Simulation } from "../../support/simulation";
import { newFolder } from "../../support/folder";

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
    files: Readonly<Record<string, string | Buffer>>,
    env: Readonly<Record<string, string | undefined>> = {},
    adapter = inProcess(emulator),
) {
    const out = { stdout: "", stderr: "" };
    const code = await main(argv, {
        stdout: (text) => (out.stdout += text),
        stderr: (text) => (out.stderr += text),
        env: { ...emulator.env, ...env },
        read: (file) => Promise.resolve(Buffer.from(files[file] ?? "")),
        now: () => clock.now(),
        adapter,
    });
    return { code, ...out };
}

describe("clouddb-orphans", () => {
    it("clouddb-orphans skips a malformed entry with a warning and lists all others", async () => {
        const { simulation, ids } = await world();
        const inOrder = inProcess(simulation.emulator);
        const withOdd: AxiosAdapter = async (config) => {
            const response = await inOrder(config);
            return { ...response, data: JSON.stringify([{}, ...(JSON.parse(String(response.data)) as unknown[])]) };
        };
        const { code, stdout, stderr } = await orphans(simulation, ["a"], { a: exportOf({}) }, {}, withOdd);
        expect(Object.values(ids).filter((id) => !stdout.includes(id))).toEqual([]);
        expect(stderr).toContain("malformed");
        expect(code).toBe(1);
    });

    it("clouddb-orphans lists resources that are in none of the stacks with their sizes and what adopts them, and changes nothing", async () => {
        const { simulation, ids } = await world();
        simulation.changes();
        simulation.clock.advance(3_600_000);
        const { code, stdout } = await orphans(simulation, ["a"], {
            a: exportOf({ Vpc: ids.Vpc, Peering: ids.Peering }),
        });
        expect(code).toBe(1);
        const adoptionOf = (id: string) => `existingId: "${id}"`;
        const [head, ...lines] = stdout.split("\n");
        expect(head).toBe("Project emulator01: 2 not managed by the given stacks; other stacks may manage them");
        expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
            [""],
            ["TYPE", "ID", "NAME", "STATUS", "AGE", "SIZE", "ADOPT WITH"],
            ["ReadReplicaSet", ids.ReadReplicaSet, "reports", "active", "500m/2GB", adoptionOf(ids.ReadReplicaSet)],
            ["Service", ids.Service, "orders", "READY", "1 h", "500m/2GB", adoptionOf(ids.Service)],
            [""],
            ["To adopt a resource, declare it in a program with its existingId, and run `pulumi up`."],
            [""],
        ]);
        expect(simulation.changes()).toEqual([]);
    });

    it("clouddb-orphans prints commands that delete only with --delete-commands", async () => {
        const { simulation, ids } = await world();
        const path = `$CLOUDDB_BASE_URL/projects/emulator01/services/${ids.ReadReplicaSet.replace("/", "/replicaSets/")}`;
        for (const format of [[], ["--json"]]) {
            const outputOf = async (...options: string[]) =>
                (await orphans(simulation, ["a", ...format, ...options], { a: exportOf({}) })).stdout;
            expect(await outputOf()).not.toContain("curl");
            expect(await outputOf("--delete-commands")).toContain(path);
        }
    });

    it("clouddb-orphans prints an input that adopts each resource without a change", async () => {
        const { simulation, ids } = await world();
        const { stdout } = await orphans(simulation, ["a", "--json"], { a: exportOf({}) });
        const { orphans: found } = JSON.parse(stdout) as { orphans: { type: string; id: string; adopt: string }[] };
        expect(Object.fromEntries(found.map(({ type, id }) => [type, id]))).toEqual(ids);
        const required: Readonly<Record<string, object>> = {
            Vpc: network,
            Peering: peering(ids.Vpc),
            ReadReplicaSet: { ...replicaSet(ids.Service), name: "reports" },
        };
        for (const { type, adopt } of found) {
            const existing = JSON.parse(`{ ${adopt.replace("existingId", '"existingId"')} }`) as { existingId: string };
            const inputs = { ...required[type], ...existing, projectId: "emulator01", __urn: `urn::${type}` };
            simulation.changes();
            await lifecycles[type as "Service"].create(inputs, simulation.run());
            expect(simulation.changes()).toEqual([]);
        }
    });

    it("clouddb-orphans recognizes the resources of a stack that stores its project id as a secret", async () => {
        const { simulation, ids } = await world();
        const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
        const files = { a: exportOf(ids, { outputs: { projectId: secret } }) };
        expect(await orphans(simulation, ["a"], files)).toMatchObject({ code: 0, stderr: "" });
    });

    it("clouddb-orphans escapes ids for the shell and control characters for the terminal", async () => {
        const simulation = await simulate();
        const odd = only({ service_id: 'a"; touch /tmp/owned; echo "$(id)!x', name: "n\u001b[31m" });
        const { stdout } = await orphans(simulation, ["a", "--delete-commands"], { a: exportOf({}) }, {}, odd);
        const [line = ""] = stdout.split("\n").filter((text) => text.includes("curl"));
        expect(line).toMatch(/services\/a%22%3B%20touch%20%2Ftmp%2Fowned%3B%20echo%20%22%24\(id\)%21x"$/);
        expect(stdout).not.toContain("\u001b");
        expect(stdout).toContain("n?[31m");
    });

    it("clouddb-orphans prints names and statuses that control nothing, and the exact id to adopt", async () => {
        const simulation = await simulate();
        const name = "n\u009b31m\u202e\n::error::x ##[error]y";
        const id = "::error::id\u001b##[error]";
        const odd = only({ service_id: id, name, created: "never", status: "READY\u001b[2J\n" });
        const controls = /(?!\n)[\p{Cc}\p{Bidi_Control}]|^\s*::|##\[/mu;
        const asText = await orphans(simulation, ["a"], { a: exportOf({}) }, {}, odd);
        expect(asText).toMatchObject({ code: 1, stderr: "" });
        expect(asText.stdout).not.toMatch(controls);
        expect(asText.stdout).toContain("READY?[2J");
        const asJson = await orphans(simulation, ["a", "--json"], { a: exportOf({}) }, {}, odd);
        expect(asJson.stdout).not.toMatch(controls);
        const {
            orphans: [found],
        } = JSON.parse(asJson.stdout) as { orphans: { name: string; adopt: string }[] };
        expect(found?.name).toBe(name);
        expect(found?.adopt).not.toMatch(controls);
        expect(JSON.parse(found?.adopt.replace("existingId: ", "") ?? "")).toBe(id);
    });

    it("clouddb-orphans exits with 2 if it fails in any way: exit code 1 means that there are unmanaged resources", async () => {
        const directory = Object.assign(new Error("EISDIR: illegal operation on a directory, read"), {
            code: "EISDIR",
        });
        const failures = [directory, new TypeError("Cannot read properties of null")];
        for (const thrown of failures) {
            const out = { stdout: "", stderr: "" };
            const code = await main(["a"], {
                stdout: (text) => (out.stdout += text),
                stderr: (text) => (out.stderr += text),
                env: { CLOUDDB_BASE_URL: "http://127.0.0.1:1/v1", CLOUDDB_ACCESS_TOKEN: "t", CLOUDDB_PROJECT_ID: "p" },
                read: () => Promise.reject(thrown),
                now: () => 0,
            });
            expect(code).toBe(2);
            expect(out.stderr).toMatch(/^clouddb-orphans:.+\nContinue:.+\n$/);
        }
    });

    it("clouddb-orphans does not list resources that are being created, and prints their number", async () => {
        const { simulation, ids } = await world();
        const { emulator, clock } = simulation;
        const created = await call(simulation, "createService", {}, { name: "new" });
        const size = { nodes: 1, cpu_millis: 500, memory_gbs: 2 };
        await call(simulation, "createReplicaSet", { service_id: ids.Service }, { name: "new", ...size });
        const { code, stdout } = await orphans(simulation, ["a"], { a: exportOf(ids) });
        expect(stdout).not.toContain(created.service_id);
        expect(stdout).toBe(
            "Project emulator01: no unmanaged resources. Managed by the given stacks: 4\n" +
                "Not listed because they are being created: 2\n",
        );
        expect(code).toBe(0);

        emulator.setServiceStatus(created.service_id, "CONFIGURING");
        clock.advance(13 * 3_600_000);
        expect((await orphans(simulation, ["a"], { a: exportOf(ids) })).stdout).toContain(created.service_id);
    });

    it("clouddb-orphans prints the deletions in an order that the API accepts", async () => {
        const { simulation, ids } = await world();
        const { emulator, clock } = simulation;
        const { stdout } = await orphans(simulation, ["a", "--delete-commands"], { a: exportOf({}) });
        const paths = [...stdout.matchAll(/CLOUDDB_BASE_URL(\/\S+)"/g)].map(([, path = ""]) => path);
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

    it.each<[env: { CLOUDDB_ACCESS_TOKEN?: string; CLOUDDB_ACCESS_TOKEN_FILE?: string }, authentication: string]>([
        [{}, '-H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN"'],
        [{ CLOUDDB_ACCESS_TOKEN: "emulator:emulator-secret" }, '-u "$CLOUDDB_ACCESS_TOKEN"'],
        [
            { CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_ACCESS_TOKEN_FILE: tokenFile },
            '-H "Authorization: Bearer $(cat "$CLOUDDB_ACCESS_TOKEN_FILE")"',
        ],
    ])(
        "the delete commands of clouddb-orphans authenticate according to %j and contain no secret",
        async (env, authentication) => {
            const { simulation } = await world(env.CLOUDDB_ACCESS_TOKEN);
            const { stdout } = await orphans(simulation, ["a", "--delete-commands"], { a: exportOf({}) }, env);
            const lines = stdout.split("\n").filter((line) => line.includes("curl"));
            expect(lines).toHaveLength(4);
            expect(lines.filter((line) => !line.includes(` ${authentication} `))).toEqual([]);
            expect(stdout).not.toContain("emulator-secret");
            expect(stdout).not.toContain(simulation.emulator.token);
        },
    );

    it.each([
        [{ CLOUDDB_BASE_URL: undefined }, "CLOUDDB_BASE_URL"],
        [{ CLOUDDB_ACCESS_TOKEN: " " }, "CLOUDDB_ACCESS_TOKEN"],
        [{ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_ACCESS_TOKEN_FILE: "/nowhere" }, "CLOUDDB_ACCESS_TOKEN_FILE"],
        [{ CLOUDDB_ACCESS_TOKEN_FILE: "token" }, "CLOUDDB_ACCESS_TOKEN_FILE"],
        [{ CLOUDDB_PROJECT_ID: "" }, "CLOUDDB_PROJECT_ID"],
        [{ CLOUDDB_BASE_URL: "https://example.com" }, "CLOUDDB_BASE_URL"],
        [{ CLOUDDB_BASE_URL: "http://example.com/v1" }, "CLOUDDB_ALLOW_INSECURE"],
    ])("the error of clouddb-orphans with %j names the variable, not a setting of a stack", async (env, message) => {
        const { code, stderr } = await orphans(await simulate(), ["a"], { a: exportOf({}) }, env);
        expect(code).toBe(2);
        expect(stderr).toContain(message);
        expect(stderr).not.toContain("clouddb:");
    });

    it.each([
        [["--project", "mistyped01", "a"], {}, "(--project)"],
        [["a"], { CLOUDDB_PROJECT_ID: "mistyped01" }, "(CLOUDDB_PROJECT_ID)"],
    ])("the error of clouddb-orphans %j for another project names where it comes from", async (args, env, place) => {
        const { code, stderr } = await orphans(await simulate(), args, { a: exportOf({}) }, env);
        expect(code).toBe(2);
        expect(stderr).toContain(place);
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
});
