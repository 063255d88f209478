import { startEmulator } from "../../../emulator";

it.each<[name: string, value: unknown]>([
    ["port", "8080"],
    ["allowedHosts", ["http://emulator"]],
    ["allowedHosts", ["*"]],
    ["host", "example.com"],
    ["token", 1],
    ["callers", [{}]],
    ["projectId", "Project"],
    ["projects", [{ id: "x", name: "X" }]],
    ["regions", "us-east-1"],
    ["peerings", "never"],
    ["durations", { create: -1 }],
    ["speed", 0],
    ["clock", {}],
    ["seed", 0.5],
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

it.each([
    [{ statefile: "x" }, "stateFile?"],
    [{ verbose: true }, "verbose"],
    [{ durations: { resise: 1 } }, "resize?"],
    [{ token: "" }, "token"],
    [{ regions: [] }, "regions"],
    [{ host: "0.0.0.0" }, "emulator-token"],
    [{ host: "::", token: "emulator-token" }, "emulator-token"],
    [{ allowedHosts: ["emulator"] }, "emulator-token"],
    [{ postgres: true, movingEndpoints: true }, "movingEndpoints"],
])("the start with %j fails with the name of the option", async (options, message) => {
    await expect(startEmulator(options as object)).rejects.toThrow(message);
});

it("on Windows, the emulator runs no PostgreSQL, and says where it does", async () => {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    try {
        await expect(startEmulator({ postgres: true })).rejects.toMatchObject({
            failure: "postgres-failed",
            message: expect.stringContaining("Windows Subsystem for Linux") as string,
        });
    } finally {
        Object.defineProperty(process, "platform", { value: platform });
    }
});
