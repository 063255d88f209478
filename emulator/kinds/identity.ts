import type { Caller } from "../callers";
import { type Wire, withDeprecatedAlias } from "../wire";
import type { World } from "../world/world";
import type { Handlers } from "../world/handler";

const user = { id: "1001", email: "engineer@example.com", name: "Emulated Engineer" };
const created = "2024-01-01T00:00:00.000Z";

export const identityHandlers = {
    getAuthInfo: ({ caller, world }) => {
        if (caller.type === "oauth") {
            return { type: "oauth", oauth: { user } };
        }
        return { type: "apiKey", ...withDeprecatedAlias("api_key", "apiKey", apiKeyInfo(world, caller)) };
    },
    listProjects: ({ caller, world }) =>
        [...world.projects.values()]
            .filter(({ id }) => caller.projects?.includes(id) ?? true)
            .map(({ id, name }) => ({ id, name })),
} satisfies Partial<Handlers>;

function apiKeyInfo(world: World, caller: Caller): Wire["ApiKeyInfo"] {
    const [, publicKey = "emulator"] = /^([^:]+):./.exec(caller.token) ?? [];
    const [id = ""] = caller.projects ?? [];
    return {
        created,
        issuing_user: user,
        name: caller.readOnly ? "emulator-read-only" : "emulator",
        project: { id, name: world.projects.get(id)?.name ?? id, plan_type: "emulator" },
        public_key: publicKey,
    };
}
