import { startEmulator } from "../../../emulator";
import { closeWorlds, startWorld } from "../../support/emulator";

afterEach(closeWorlds);

describe("the options of startEmulator", () => {
    it.each<[name: string, value: unknown]>([
        ["port", "8080"],
        ["host", 127],
        ["token", 1],
        ["publicKey", null],
        ["callers", {}],
        ["callers", [{}]],
        ["projectId", 1],
        ["projects", [{ id: "abcdefghij" }]],
        ["regions", "us-east-1"],
        ["cpuMillis", ["500"]],
        ["brandServiceType", 1],
        ["without", "renameService"],
        ["listStandbys", "yes"],
        ["strictResize", 1],
        ["peerings", "never"],
        ["peerings", null],
        ["durations", []],
        ["speed", "10"],
        ["clock", {}],
        ["seed", "1"],
        ["stateFile", 5],
        ["stateFile", ""],
        ["postgres", "yes"],
        ["faults", "GET:503"],
        ["rate", "5"],
        ["intercept", {}],
        ["log", "stderr"],
    ])("a wrong value of %s fails with its name: %j", async (name, value) => {
        await expect(startEmulator({ [name]: value })).rejects.toMatchObject({
            failure: "invalid-option",
            message: expect.stringMatching(new RegExp(`^${name} must be .*, not `)) as string,
        });
    });

    it("with strictResize, a resize accepts only digits, and no nodes for a read replica set", async () => {
        const { api, project, readyService, activeReplicaSet } = await startWorld({ strictResize: true });
        const { service_id: id } = await readyService();
        const { id: set } = await activeReplicaSet(id);
        const size = { cpu_millis: "1000", memory_gbs: "4" };
        const resize = async (path: string, body: object) => {
            const answer = await api("POST", `${project}/services/${id}${path}/resize`, body);
            return [answer.status, answer.body.message];
        };
        expect(await resize("", { cpu_millis: "shared", memory_gbs: "shared" })).toEqual([
            400,
            expect.stringContaining("digits"),
        ]);
        expect(await resize(`/replicaSets/${set}`, { ...size, nodes: 2 })).toEqual([
            400,
            expect.stringContaining("nodes is not allowed"),
        ]);
        expect((await resize(`/replicaSets/${set}`, size))[0]).toBe(202);
        expect((await resize("", size))[0]).toBe(202);
    });
});
