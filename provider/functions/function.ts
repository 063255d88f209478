import type { CallOptions, Client } from "../api/client";
import { CloudDbError } from "../api/callErrors";
import { way } from "../base/message";

/**
 * A function was called with invalid arguments, or its result cannot be determined. In `pulumi-clouddb/native`, any failure of
 * a function. The message names the reason.
 */
export class FunctionError extends CloudDbError {}

/** The project that a function reads from. */
export interface ProjectArgs {
    /**
     * The id of the project to read from.
     * @default `clouddb:projectId` or CLOUDDB_PROJECT_ID
     */
    projectId?: string;
}

/** The properties that all results in a project have in common. */
export interface InProject {
    /** The id of the project that contains it. */
    readonly projectId: string;
}

/** What a function may use. */
export interface FunctionContext {
    readonly client: Client;
    /** The project of the settings. */
    readonly projectId: () => string;
    /** How it calls the API. */
    readonly options: CallOptions;
}

/** A function of this package: it reads from the API and changes nothing. */
export interface ProviderFunction<Args extends object, Result> {
    readonly required: RequiredArguments<Args>;
    /**
     * The property that contains the result if the protocol requires an object; absent if the result already is one.
     */
    readonly list?: string;
    readonly run: (args: Args, context: FunctionContext) => Promise<Result>;
}

/** The arguments that must be non-empty strings. Of a list of them, exactly one must be. */
type RequiredArguments<Args> = readonly (Name<Args> | readonly Name<Args>[])[];

type Name<Args> = keyof Args & string;

/** Calls a function. Fails if a required argument is missing. */
export async function callFunction<Args extends object, Result>(
    name: string,
    { required, run }: ProviderFunction<Args, Result>,
    args: Args,
    context: FunctionContext,
): Promise<Result> {
    for (const alternatives of required.map((one) => [one].flat() as Name<Args>[])) {
        const present = alternatives.filter((key) => typeof args[key] === "string" && args[key] !== "");
        if (present.length !== 1) {
            const which = alternatives.length === 1 ? "the argument" : "either";
            const names = alternatives.join(" or ");
            const remedy = present.length === 0 ? `${names} to a non-empty string` : "one of them, not both";
            throw new FunctionError({
                what: `${name} requires ${which} ${names}.`,
                ways: [way("Continue", `set ${remedy}`)],
            });
        }
    }
    return run(args, context);
}

/** The project that a function reads from: the argument, otherwise the one in the settings. */
export function projectOf({ projectId }: ProjectArgs, context: FunctionContext): string {
    return projectId ?? context.projectId();
}
