import { startEmulator } from "../../../emulator";

describe("the options of startEmulator", () => {
    it.each<[name: string, value: unknown]>([
        ["port", "8080"],
        ["port", 70_000],
        ["host", 127],
        ["allowedHosts", "emulator"],
        ["allowedHosts", ["http://emulator"]],
        ["allowedHosts", ["emulator:8080"]],
        ["allowedHosts", ["*"]],
        ["allowedHosts", [""]],
        ["host", "example.com"],
        ["token", 1],
        ["callers", {}],
        ["callers", [{}]],
        ["projectId", 1],
        ["projectId", "Project"],
        ["projects", [{ id: "abcdefghij" }]],
        ["projects", [{ id: "x", name: "X" }]],
        ["regions", "us-east-1"],
        ["peerings", "never"],
        ["peerings", null],
        ["durations", []],
        ["durations", { create: -1 }],
        ["speed", "10"],
        ["speed", 0],
        ["clock", {}],
        ["seed", "1"],
        ["seed", 0.5],
        ["stateFile", 5],
        ["stateFile", ""],
        ["postgres", "yes"],
        ["faults", "GET:503"],
        ["rate", "5"],
        ["movingEndpoints", "yes"],
        ["intercept", {}],
        ["log", "stderr"],
    ])("a wrong value of %s fails with its name: %j", async (name, value) => {
        await expect(startEmulator({ [name]: value })).rejects.toMatchObject({
            failure: "invalid-option",
            message: expect.stringMatching(new RegExp(`\\b${name} (must be .*, not |is required)`)) as string,
        });
    });

    it.each([
        [{ statefile: "x" }, "There is no option statefile. Did you mean stateFile?"],
        [{ verbose: true }, "There is no option verbose. Use one of port,"],
        [{ durations: { resise: 1 } }, "There is no duration resise of durations. Did you mean resize?"],
        [{ token: "" }, "token must be a non-empty string without spaces."],
        [{ regions: [] }, "regions must not be empty."],
        [{ host: "0.0.0.0" }, "With host 0.0.0.0, token must not be emulator-token"],
        [{ host: "::", token: "emulator-token" }, "With host ::, token must not be emulator-token"],
        [{ allowedHosts: ["emulator"] }, "With allowedHosts, token must not be emulator-token"],
        [{ postgres: true, movingEndpoints: true }, "postgres and movingEndpoints exclude each other."],
    ])("the start with %j fails with the name of the option", async (options, message) => {
        await expect(startEmulator(options as object)).rejects.toThrow(message);
    });
});
