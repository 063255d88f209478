import { startWorld } from "../../support/emulator";
import type { Wire } from "../../../emulator/wire";

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

const callers = [
    { token: "oauth-user", type: "oauth" as const },
    { token: "stranger", projects: ["elsewhere1"] },
];
const start = () => startWorld({ callers, projects: [{ id: "elsewhere1", name: "Elsewhere" }] });

it.each([
    ["no Authorization header", ""],
    ["an unknown scheme", "Digest emulator-token"],
    ["a wrong secret key", basic("emulator:wrong")],
])("the emulator rejects %s with 401", async (_, authorization) => {
    const { api } = await start();
    const answer = await api("GET", "/projects", undefined, authorization);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toContain("Bearer");
});

it("the emulator accepts a personal access token as a bearer token and as a key pair", async () => {
    const { api } = await startWorld({ token: "mine:also-mine" });
    for (const authorization of ["Bearer mine:also-mine", "bearer mine:also-mine", basic("mine:also-mine")]) {
        const { body } = await api<Wire["AuthInfo"]>("GET", "/auth/info", undefined, authorization);
        expect(body.type).toBe("apiKey");
        expect(body.api_key).toMatchObject({ public_key: "mine", project: { id: "emulator01" } });
        expect(body).toHaveProperty("apiKey", body.api_key);
        expect(body).not.toHaveProperty("oauth");
    }
});

it("an OAuth user can access every project, and a personal access token lists only its own", async () => {
    const { api } = await start();
    const { body } = await api<Wire["AuthInfo"]>("GET", "/auth/info", undefined, "Bearer oauth-user");
    expect(body.type).toBe("oauth");
    expect(body.oauth?.user?.id).toMatch(/^\d+$/);
    expect(body).not.toHaveProperty("api_key");
    const projects = await api<Wire["Project"][]>("GET", "/projects", undefined, "Bearer oauth-user");
    expect(projects.body.map(({ id }) => id)).toEqual(["emulator01", "elsewhere1"]);
    const listed = await api<Wire["Project"][]>("GET", "/projects", undefined, "Bearer stranger");
    expect(listed.body).toEqual([{ id: "elsewhere1", name: "Elsewhere" }]);
});
