import type { ProviderFunction } from "./function";

/** The authenticated caller. Exactly one of `apiKey` and `oauth` is set, depending on `type`. */
export interface GetAuthInfoResult {
    /** `apiKey` for a personal access token, `oauth` for a user. */
    readonly type: string;
    /** The personal access token, which is bound to one project. */
    readonly apiKey?: {
        /** The time of creation (RFC 3339). */
        readonly created?: string;
        /** The user who created the token. */
        readonly issuingUser?: User;
        /** The name of the token. */
        readonly name?: string;
        /** The project that the token is bound to. */
        readonly project?: {
            /** The id of the project. */
            readonly id?: string;
            /** The name of the project. */
            readonly name?: string;
            /** The billing plan of the project, as the API reports it. */
            readonly planType?: string;
        };
        /** The public key of the token. */
        readonly publicKey?: string;
    };
    /** The OAuth caller. */
    readonly oauth?: {
        /** The user of the token. */
        readonly user?: User;
    };
}

/** A user of the platform. */
export interface User {
    /** The id of the user. */
    readonly id?: string;
    /** The email address of the user. */
    readonly email?: string;
    /** The name of the user. */
    readonly name?: string;
}

/** A project. */
export interface GetProjectResult {
    /** The id of the project, for the argument `projectId`. */
    readonly projectId: string;
    /** The name of the project. */
    readonly name: string;
}

/** Returns the authenticated caller. */
export const getAuthInfo: ProviderFunction<object, GetAuthInfoResult> = {
    required: [],
    run: async (_, { client, options }) => {
        const caller = await client.call("getAuthInfo", {}, options);
        return inCamelCase(caller) as GetAuthInfoResult;
    },
};

/** Returns the projects that the caller can access. */
export const getProjects: ProviderFunction<object, GetProjectResult[]> = {
    required: [],
    list: "projects",
    run: async (_, { client, options }) => {
        const projects = await client.call("listProjects", {}, options);
        return projects.map(({ id, name }) => ({ projectId: id, name }));
    },
};

/** A response under the names of programs. It has only fields of the contract, and none without a value. */
function inCamelCase(value: unknown): unknown {
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const nameOf = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [nameOf(field), inCamelCase(inner)]));
}
