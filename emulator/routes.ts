import { invalid, methodNotAllowed, notFound, type ApiError } from "./errors";
import { isObject, problemOf, type Fields, type ValuesOf } from "./schema";

/** Routes by method and path, such as `GET /services/{service_id}`. `*` stands for `{id}`. */
export class Routes<Target> {
    private readonly compiled: readonly { method: string; pattern: RegExp; target: Target }[];

    constructor(targets: Iterable<readonly [on: string, target: Target]>) {
        this.compiled = [...targets].map(([on, target]) => {
            const [method = "", path = ""] = on.split(" ");
            const named = path.replace("*", "{id}").replace(/\{(\w+)\}/g, "(?<$1>[^/?]+)");
            const pattern = new RegExp(`^${named}(?:\\?|$)`);
            return { method: method.toUpperCase(), pattern, target };
        });
    }

    /** The target of a request and the ids in its path, which can have a query. Undefined if there is none. */
    match(method: string, path: string): { target: Target; ids: Readonly<Record<string, string>> } | undefined {
        const found = this.compiled.find((one) => one.method === method.toUpperCase() && one.pattern.test(path));
        return found && { target: found.target, ids: { ...found.pattern.exec(path)?.groups } };
    }

    /** The error of a request that has no target. `unknown` is the message if the path does not exist. */
    refusal(path: string, unknown: string): ApiError {
        const methods = this.compiled.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
        return methods.length > 0 ? methodNotAllowed(path.replace(/\?.*/s, ""), methods) : notFound(unknown);
    }
}

/** Parses the JSON of a body with these fields. An empty object without a body. */
export function parseBody<F extends Fields>(body: string | undefined, fields: F, noun?: string): ValuesOf<F> {
    const parsed = body === undefined || body === "" ? {} : parseJson(body);
    if (!isObject(parsed)) {
        throw invalid("The body must be a JSON object.");
    }
    check(parsed, fields, noun);
    return parsed as ValuesOf<F>;
}

/** Rejects an object with a field that is wrong. */
export function check(values: object, fields: Fields, noun?: string): void {
    const problem = problemOf(values, fields, noun);
    if (problem !== undefined) {
        throw invalid(problem);
    }
}

export function parseJson(body: string): unknown {
    try {
        return JSON.parse(body);
    } catch (error) {
        throw invalid(`The body is not JSON: ${(error as Error).message}.`);
    }
}
