import { providersFor } from "../../../../provider/hosts/dynamic/providers";
import { connectEngine } from "../../../../provider/hosts/engine";
import { service } from "../../../support/fixtures";
import { serve } from "../../../support/loopback";

/** Skips the pauses before an exit, but fakes neither sockets nor promises. */
const fakePauses = () => jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });

/** The process of the dynamic provider, whose engine the test ends. */
function startProcess() {
    const engineGone = new AbortController();
    const on = jest.spyOn(process, "on").mockReturnThis();
    const exit = jest.spyOn(process, "exit").mockReturnValue(undefined as never);
    // The process replaces it, and the end of the test restores it.
    jest.spyOn(console, "error");
    const providers = providersFor({ ...connectEngine(undefined), runEnded: engineGone.signal });
    const signal = () => on.mock.calls.find(([name]) => (name as string) === "SIGTERM")?.[1]();
    /** A creation whose request the API has received and never answers. */
    const call = async () => {
        const { url, arrived } = await serve(() => undefined);
        const settings: Record<string, string> = { "clouddb:baseUrl": url, "clouddb:accessToken": "t" };
        await providers.Service?.configure?.({ config: { get: (key: string) => settings[key] } } as never);
        const creation = providers.Service?.create(service());
        await Promise.race([arrived, creation]);
        return { creation };
    };
    return { call, exit, signal, loseEngine: () => engineGone.abort(new Error("The engine has exited.")) };
}

afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
});

it.each([
    ["whose engine was killed", "loseEngine", "exited", 5_000, 1],
    ["that receives a signal", "signal", "cancelled", 1_000, 0],
] as const)("a process %s ends its calls, and leaves time for their responses", async (_, end, reason, ms, code) => {
    const { call, exit, [end]: endIt } = startProcess();
    const { creation } = await call();
    fakePauses();
    endIt();
    await expect(creation).rejects.toThrow(reason);
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(exit).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(exit.mock.calls).toEqual([[code]]);
});

it("a process without a call in progress exits as soon as it receives a signal", async () => {
    const { exit, signal } = startProcess();
    fakePauses();
    signal();
    await jest.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[0]]);
});
