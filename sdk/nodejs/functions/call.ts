import * as pulumi from "@pulumi/pulumi";
import { previewReadMs } from "../../../provider/api/client";
import { systemClock } from "../../../provider/api/clock";
import { callFunction, type FunctionContext, type ProviderFunction } from "../../../provider/functions/function";
import { functions, type ArgumentsOf, type FunctionName, type ResultOf } from "../../../provider/functions/index";
import { valueOf } from "../../../provider/base/fields";
import { isProjectSecret } from "../config";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../types";
import { withoutStack } from "../plainError";
import { resourcesBehind, withChildren } from "./resources";
import { currentClient, currentProject } from "./session";

/** The options of a function in its `…Output` form. */
export interface FunctionOptions {
    /**
     * Resources that must exist before the function is called. The result is unknown in a preview that creates one of them.
     * @default none
     */
    dependsOn?: pulumi.Resource | readonly pulumi.Resource[];
}

/** Calls the API, or the mocks in a unit test. An error of this package ends the program without a stack trace. */
export async function call<Name extends FunctionName>(name: Name, args: ArgumentsOf<Name>): Promise<ResultOf<Name>> {
    if (isMocked()) {
        return callMock(name, args);
    }
    try {
        const definition = functions[name] as unknown as ProviderFunction<ArgumentsOf<Name>, ResultOf<Name>>;
        return await callFunction(name, definition, args, currentContext());
    } catch (error) {
        throw withoutStack(error);
    }
}

/** Calls the API, or the mocks in a unit test, with inputs. */
export function callOutput<Name extends FunctionName>(
    name: Name,
    args: Args<ArgumentsOf<Name>>,
    options?: FunctionOptions,
): pulumi.Output<ResultOf<Name>> {
    return callWithInputs((known: ArgumentsOf<Name>) => call(name, known), args, options);
}

/** What a function uses in the process of the program. */
function currentContext(): FunctionContext {
    return {
        client: currentClient(),
        projectId: currentProject,
        options: pulumi.runtime.isDryRun() ? { deadlineAt: systemClock.now() + previewReadMs } : {},
    };
}

/**
 * Calls a function with inputs. Sends no request while an input is unknown, or while a resource behind an input does not exist:
 * a preview knows the name of a service that it creates, but the API does not.
 */
export function callWithInputs<A extends object, T>(
    call: (args: A) => Promise<T>,
    args: Args<A>,
    { dependsOn = [] }: FunctionOptions = {},
): pulumi.Output<T> {
    const given: pulumi.Output<unknown> = pulumi.output(args);
    const declared = [dependsOn].flat();
    const ids = pulumi.output(idsOf(given, declared));
    const result: pulumi.Output<T> = ids.apply(() => given.apply((known) => call(known as A)));
    // The result contains the project that was read.
    return valueOf(args, "projectId") === undefined && isProjectSecret()
        ? (pulumi.secret(result) as typeof result)
        : result;
}

/** The ids of the resources behind an output and of other resources, unknown in a preview that creates one of them. */
async function idsOf(output: pulumi.Output<unknown>, others: readonly pulumi.Resource[]): Promise<unknown[]> {
    const resources = [...(await resourcesBehind(output)), ...(await withChildren(others))];
    return resources.map((one) => (pulumi.CustomResource.isInstance(one) ? one.id : one.urn));
}
