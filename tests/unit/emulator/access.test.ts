import { startWorld } from "../../support/emulator";
import type { Wire } from "../../../emulator/wire";

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("authentication", () => {
    const callers = [
        { token: "oauth-user", type: "oauth" as const },
        { token: "reader", readOnly: true },
        { token: "stranger", projects: ["elsewhere1"] },
    ];
    const start = () => startWorld({ callers, projects: [{ id: "elsewhere1", name: "Elsewhere" }] });

    it.each([
        ["no Authorization header", ""],
        ["a wrong token", "Bearer wrong"],
        ["an unknown scheme", "Digest emulator-token"],
        ["a wrong secret key", basic("emulator:wrong")],
    ])("the emulator rejects %s with 401", async (_, authorization) => {
        const { api } = await start();
        const answer = await api("GET", "/projects", undefined, authorization);
        expect(answer.status).toBe(401);
        expect(answer.headers["www-authenticate"]).toContain("Bearer");
    });

    it("the emulator accepts a personal access token as a bearer token and as a key pair", async () => {
        const { api } = await start();
        for (const authorization of [
            "Bearer emulator-token",
            "bearer emulator-token",
            basic("emulator:emulator-secret"),
        ]) {
            const { body } = await api<Wire["AuthInfo"]>("GET", "/auth/info", undefined, authorization);
            expect(body.type).toBe("apiKey");
            expect(body.api_key).toMatchObject({ public_key: "emulator", project: { id: "emulator01" } });
            expect(body).toHaveProperty("apiKey", body.api_key);
            expect(body).not.toHaveProperty("oauth");
        }
    });

    it("the default key pair is not valid if a token is set, and the options can set another one", async () => {
        const status = async ({ api }: Awaited<ReturnType<typeof startWorld>>, pair: string) =>
            (await api("GET", "/projects", undefined, basic(pair))).status;
        const own = await startWorld({ token: "secret-token" });
        expect(await status(own, "emulator:emulator-secret")).toBe(401);
        const withPair = await startWorld({ token: "secret-token", publicKey: "mine", secretKey: "also-mine" });
        expect(await status(withPair, "emulator:emulator-secret")).toBe(401);
        expect(await status(withPair, "mine:also-mine")).toBe(200);
        await expect(startWorld({ publicKey: "mine" })).rejects.toMatchObject({ failure: "invalid-option" });
    });

    it("the emulator accepts an OAuth user, who can access every project", async () => {
        const { api } = await start();
        const { body } = await api<Wire["AuthInfo"]>("GET", "/auth/info", undefined, "Bearer oauth-user");
        expect(body.type).toBe("oauth");
        expect(body.oauth?.user?.id).toMatch(/^\d+$/);
        expect(body).not.toHaveProperty("api_key");
        const projects = await api<Wire["Project"][]>("GET", "/projects", undefined, "Bearer oauth-user");
        expect(projects.body.map(({ id }) => id)).toEqual(["emulator01", "elsewhere1"]);
    });

    it("the emulator lists only the project of a personal access token", async () => {
        const { api } = await start();
        const { body } = await api<Wire["Project"][]>("GET", "/projects", undefined, "Bearer stranger");
        expect(body).toEqual([{ id: "elsewhere1", name: "Elsewhere" }]);
    });

    it("the emulator rejects a change with a read-only token with 403", async () => {
        const { api, project } = await start();
        expect((await api("GET", `${project}/services`, undefined, "Bearer reader")).status).toBe(200);
        expect((await api("POST", `${project}/services`, { name: "db" }, "Bearer reader")).status).toBe(403);
    });
});
