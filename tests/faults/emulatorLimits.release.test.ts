import { fetchServices, send, settings, startCommand } from "../support/emulatorCommand";

test.each(["unknown", "test-token"])(
    "72 requests of 1 MB with the token %s do not end an emulator with a heap of 64 MB",
    async (token) => {
        const emulator = startCommand(settings, { program: [process.execPath, "--max-old-space-size=64"] });
        const { url } = await emulator.started;
        const name = "x".repeat(1_000_000);
        for (let posts = 0; posts < 72; posts++) {
            const { status } = await fetchServices(url, "POST", "", { name }, token);
            expect(status).toBe(token === "unknown" ? 401 : 400);
        }
        expect(await send(url, "GET", "")).toEqual([]);
    },
);
