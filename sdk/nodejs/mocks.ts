import { runtime } from "@pulumi/pulumi";
import { functions, type FunctionName } from "../../provider/functions/index";

/**
 * Whether the program runs in a unit test that called `pulumi.runtime.setMocks`. All copies of Pulumi's SDK in a process share
 * the monitor, but each has a class of its own: a linked package can have another copy than the test.
 */
export function isMocked(): boolean {
    return runtime.getMonitor()?.constructor.name === "MockMonitor";
}

/** The result of a function under mocks: the return value of `call` for its token. */
export async function callMock<T>(name: FunctionName, args: object): Promise<T> {
    const result = (await runtime.invoke(`clouddb:index:${name}`, args)) as Readonly<Record<string, unknown>>;
    if (functions[name].list === undefined) {
        return result as T;
    }
    // Pulumi turns the list into an object.
    const items = Object.entries(result).filter(([key]) => /^\d+$/.test(key));
    return items.map(([, item]) => item) as T;
}
