import * as pulumi from "@pulumi/pulumi";
import { FunctionError } from "../../../provider/functions/function";
import { parsed } from "../../../provider/base/message";
import { functions, type ArgumentsOf, type FunctionName, type ResultOf } from "../../../provider/functions/index";
import { callWithInputs, type FunctionOptions as WaitOptions } from "../functions/call";
import { withoutStack } from "../plainError";
import { callMock, isMocked } from "../mocks";
import type { Args } from "../types";

/** The options of a function. */
export type FunctionOptions = Pick<pulumi.InvokeOptions, "provider" | "parent">;

/** The options of a function in its `…Output` form. */
export type FunctionOutputOptions = WaitOptions & FunctionOptions;

/** Calls a function of the plugin. */
export async function invoke<Name extends FunctionName>(
    name: Name,
    args: ArgumentsOf<Name>,
    options: FunctionOptions = {},
): Promise<ResultOf<Name>> {
    if (isMocked()) {
        return callMock(name, args);
    }
    try {
        const result = (await pulumi.runtime.invoke(`clouddb:index:${name}`, args, options)) as Record<string, unknown>;
        const { list } = functions[name];
        return (list === undefined ? result : result[list]) as ResultOf<Name>;
    } catch (error) {
        throw withoutStack(new FunctionError({ ...parsed(reasonIn(error)), cause: error }));
    }
}

/** Calls a function of the plugin with inputs. */
export function invokeOutput<Name extends FunctionName>(
    name: Name,
    args: Args<ArgumentsOf<Name>>,
    { dependsOn, ...options }: FunctionOutputOptions = {},
): pulumi.Output<ResultOf<Name>> {
    const call = (known: ArgumentsOf<Name>) => invoke(name, known, options);
    return callWithInputs(call, args, dependsOn === undefined ? {} : { dependsOn });
}

/** The message of the plugin, without the text that Pulumi adds before it. */
function reasonIn(error: unknown): string {
    const { details, message } = error as { details?: string; message?: string };
    return details ?? message ?? String(error);
}
