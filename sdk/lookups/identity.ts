import type { Output } from "@pulumi/pulumi";
import type { AuthInfo as WireAuthInfo } from "../../provider/api/contract";
import { later, look, tolerant, type LookupOptions } from "./lookup";

/** Who is calling: exactly one of `apiKey` and `oauth` is there, and `type` tells which. */
export interface GetAuthInfoResult {
    /** `apiKey` for a personal access token, `oauth` for a user. */
    readonly type: string;
    /** About a personal access token, which belongs to one project. */
    readonly apiKey?: {
        /** When it was made (RFC 3339). */
        readonly created?: string;
        /** The user who made it. */
        readonly issuingUser?: User;
        /** Its name. */
        readonly name?: string;
        /** The project that it is for. */
        readonly project?: {
            /** Its id. */
            readonly id?: string;
            /** Its name. */
            readonly name?: string;
            /** What is paid for, as the service names it. */
            readonly planType?: string;
        };
        /** The public half of its keys. */
        readonly publicKey?: string;
    };
    /** About a user. */
    readonly oauth?: {
        /** Who it is. */
        readonly user?: User;
    };
}

/** A user of the platform. */
export interface User {
    /** The id of the user. */
    readonly id?: string;
    /** The address of the user. */
    readonly email?: string;
    /** The name of the user. */
    readonly name?: string;
}

/** A project. */
export interface GetProjectResult {
    /** Its id, as arguments take it. */
    readonly projectId: string;
    /** Its name. */
    readonly name: string;
}

/** Who is calling: `GET /auth/info`. */
export function getAuthInfo(): Promise<GetAuthInfoResult> {
    return look("getAuthInfo", {}, async (client) => describe(await client.getAuthInfo()));
}

/** {@link getAuthInfo} as an output. */
export function getAuthInfoOutput(options?: LookupOptions): Output<GetAuthInfoResult> {
    return later(getAuthInfo, {}, options);
}

/** The projects that the caller can see: `GET /projects`. */
export function getProjects(): Promise<GetProjectResult[]> {
    return look("getProjects", {}, async (client) =>
        (await client.listProjects(tolerant)).map(({ id, name }) => ({ projectId: id, name })),
    );
}

/** {@link getProjects} as an output. */
export function getProjectsOutput(options?: LookupOptions): Output<GetProjectResult[]> {
    return later(getProjects, {}, options);
}

function describe({ type, api_key: key, oauth }: WireAuthInfo): GetAuthInfoResult {
    return {
        type,
        ...(key && {
            apiKey: present({
                created: key.created,
                issuingUser: key.issuing_user,
                name: key.name,
                project:
                    key.project &&
                    present({ id: key.project.id, name: key.project.name, planType: key.project.plan_type }),
                publicKey: key.public_key,
            }),
        }),
        ...(oauth && { oauth: oauth.user ? { user: oauth.user } : {} }),
    };
}

/** Without the properties that are undefined. */
function present<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
