import { startEmulator } from "../../../emulator";
import { closeWorlds } from "../../support/emulator";

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
            message: expect.stringMatching(new RegExp(`\\b${name} (must be .*, not |is required)`)) as string,
        });
    });
});
