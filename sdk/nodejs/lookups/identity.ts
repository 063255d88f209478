import type { Output } from "@pulumi/pulumi";
import type { GetAuthInfoResult, GetProjectResult } from "../../../provider/functions/identity";
import { call, callWithInputs, type LookupOptions } from "./lookup";

/** Returns the authenticated caller (`GET /auth/info`). */
export function getAuthInfo(): Promise<GetAuthInfoResult> {
    return call("getAuthInfo", {});
}

/** Like {@link getAuthInfo}, but returns an output. */
export function getAuthInfoOutput(options?: LookupOptions): Output<GetAuthInfoResult> {
    return callWithInputs(getAuthInfo, {}, options);
}

/** Returns the projects that the caller can access (`GET /projects`). */
export function getProjects(): Promise<GetProjectResult[]> {
    return call("getProjects", {});
}

/** Like {@link getProjects}, but returns an output. */
export function getProjectsOutput(options?: LookupOptions): Output<GetProjectResult[]> {
    return callWithInputs(getProjects, {}, options);
}

export type { GetAuthInfoResult, GetProjectResult, User } from "../../../provider/functions/identity";
