import * as pulumi from "@pulumi/pulumi";
import type { CallOptions, Client } from "../../provider/api/client";
import { callMock, isMocked, type FunctionName } from "../mocks";
import type { Args } from "../resource";
import { LookupError, withoutStack } from "./errors";
import { currentClient, currentProject } from "./session";

/** The project that a look-up is about. */
export interface ProjectArgs {
    /**
     * The project to look in.
     * @default `clouddb:projectId` of the stack's config, or CLOUDDB_PROJECT_ID
     */
    projectId?: string;
}

/** What every result that is in a project has. */
export interface InProject {
    /** The project that it belongs to. */
    readonly projectId: string;
}

/** What goes with the arguments of a look-up in its `…Output` form. */
export interface LookupOptions {
    /** Resources that must be there before it looks; while a preview does not know them yet, neither is the result known. */
    dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
}

/** Calls the API, or the mocks of a unit test; an error is one of this package whose message says what to do. */
export async function look<T>(name: FunctionName, args: object, ask: (client: Client) => Promise<T>): Promise<T> {
    if (isMocked()) {
        return callMock(name, args);
    }
    try {
        return await ask(currentClient());
    } catch (error) {
        throw withoutStack(error);
    }
}

/** A list without the entries that do not keep the contract; each of them is a warning. */
export const tolerant: CallOptions = {
    onMalformed: ({ error }) => {
        void pulumi.log.warn(`An entry of a list is left out: ${error.message}`);
    },
};

/** Asks the service for something in a project, of which the named arguments have to be given. */
export function lookInProject<A extends ProjectArgs, T>(
    name: FunctionName,
    args: A,
    needed: readonly (keyof A & string)[],
    ask: (client: Client, projectId: string) => Promise<T>,
): Promise<T> {
    return look(name, args, async (client) => {
        for (const key of needed) {
            const value: unknown = args[key];
            if (typeof value !== "string" || value === "") {
                throw new LookupError(`${name} needs ${key}; give it a value.`);
            }
        }
        return ask(client, currentProject(args));
    });
}

/** A look-up of values that are not known before the program runs; as long as one is unknown nothing is asked. */
export function later<A extends object, T>(
    lookup: (args: A) => Promise<T>,
    args: Args<A>,
    { dependsOn = [] }: LookupOptions = {},
): pulumi.Output<T> {
    // The id of what a preview is yet to make is unknown, its URN is not.
    const before = [dependsOn].flat().map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn));
    const given: pulumi.Output<unknown> = pulumi.output(args);
    return pulumi.output(before).apply(() => given.apply((known) => lookup(known as A)));
}
