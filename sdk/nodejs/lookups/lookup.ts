import * as pulumi from "@pulumi/pulumi";
import { readOptions, type CallOptions, type Client } from "../../../provider/api/client";
import { callMock, isMocked, type FunctionName } from "../mocks";
import type { Args } from "../resource";
import { LookupError, withoutStack } from "./errors";
import { currentClient, currentProject } from "./session";

/** The project that a function reads from. */
export interface ProjectArgs {
    /**
     * The id of the project to read from.
     * @default `clouddb:projectId` of the stack configuration, or CLOUDDB_PROJECT_ID
     */
    projectId?: string;
}

/** The part that all results in a project have in common. */
export interface InProject {
    /** The id of the project that contains it. */
    readonly projectId: string;
}

/** The options of a function in its `…Output` form. */
export interface LookupOptions {
    /**
     * Resources that must exist before the function is called. The result is unknown in a preview that creates one of them.
     * @default none
     */
    dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
}

/** Calls the API, or the mocks in a unit test. An error of this package ends the program without a stack trace. */
export async function callFunction<T>(
    name: FunctionName,
    args: object,
    call: (client: Client) => Promise<T>,
): Promise<T> {
    if (isMocked()) {
        return callMock(name, args);
    }
    try {
        return await call(currentClient());
    } catch (error) {
        throw withoutStack(error);
    }
}

/** Leaves out list entries that violate the contract, with a warning for each. */
export const skipMalformed: CallOptions = {
    ...readOptions,
    onMalformed: ({ error }) => {
        void pulumi.log.warn(`Skipped a malformed entry of a list: ${error.message}`);
    },
};

/** Calls the API for a project. Fails if a required argument is missing. */
export function callInProject<A extends ProjectArgs, T>(
    name: FunctionName,
    args: A,
    required: readonly (keyof A & string)[],
    call: (client: Client, projectId: string) => Promise<T>,
): Promise<T> {
    return callFunction(name, args, async (client) => {
        for (const key of required) {
            const value: unknown = args[key];
            if (typeof value !== "string" || value === "") {
                throw new LookupError(`${name} requires the argument ${key}. Set it to a non-empty string.`);
            }
        }
        return call(client, currentProject(args));
    });
}

/** Calls a function with inputs. Sends no request while an input is unknown. */
export function callWithInputs<A extends object, T>(
    call: (args: A) => Promise<T>,
    args: Args<A>,
    { dependsOn = [] }: LookupOptions = {},
): pulumi.Output<T> {
    // In a preview, the id of a new resource is unknown, but its URN is known.
    const dependencies = [dependsOn].flat().map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn));
    const given: pulumi.Output<unknown> = pulumi.output(args);
    return pulumi.output(dependencies).apply(() => given.apply((known) => call(known as A)));
}
