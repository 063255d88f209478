import type { Schema } from "../../emulator/contract";
import { described } from "../support/described";

/** The parts of openapi.yaml that the comparison reads. */
export interface Document {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
    readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface DocumentedOperation {
    /** Absent in the parameters of a path. */
    readonly operationId?: string;
    /** Why the published description lacks it. */
    readonly "x-not-published"?: unknown;
    readonly parameters?: readonly object[];
    readonly requestBody?: Body;
    readonly responses: Readonly<Record<string, object>>;
}

interface Body {
    readonly content?: { readonly "application/json": { readonly schema: Schema } };
}

type Parameter = Readonly<Record<"name" | "in", string>> & { readonly schema: Schema };

/** A function that replaces a reference into the document by what it names. */
const resolverOf = ({ components }: Document) =>
    function resolve<T extends object>(found: T): T {
        const { $ref: ref, ...beside } = found as T & { readonly $ref?: string };
        const [, , group = "", name = ""] = ref?.split("/") ?? [];
        return ref === undefined ? found : resolve({ ...components[group]?.[name], ...beside } as unknown as T);
    };

/**
 * Where the contract is stricter than the published description: what an answer may say and the contract refuses or lacks, and what
 * a request of the contract may say and the description refuses or lacks. Each is named once: `Service.name is required`.
 */
export function strictnessOf(document: Document): string[] {
    const resolve = resolverOf(document);
    const schemaIn = (body: Body | undefined) => body?.content?.["application/json"].schema;
    const found = described.flatMap(({ method, path, parameters, body, responses }) => {
        const item = document.paths[path] ?? {};
        const operation = item[method.toLowerCase()];
        if (operation === undefined) {
            return [`${method} ${path} is missing`];
        }
        const sent = [...((item as { parameters?: object[] }).parameters ?? []), ...(operation.parameters ?? [])].map(
            (one) => resolve(one) as Parameter,
        );
        const ofParameters = sent.flatMap(({ name, schema }) => {
            const known = parameters.find((one) => one.name === name);
            const place = `parameter ${name}`;
            return known ? requestProblems(known.schema, schema, place, resolve) : [`${place} is unknown`];
        });
        const requested = schemaIn(operation.requestBody);
        const ofBody = requested
            ? body
                ? requestProblems(body, requested, "", resolve)
                : [`${method} ${path} takes no body`]
            : body && [`${method} ${path} needs a body`];
        const ofResponses = Object.entries(responses).flatMap(([status, schema]) => {
            const contract = resolve((operation.responses[status] ?? operation.responses.default ?? {}) as Body);
            const answered = schemaIn(contract);
            return schema && answered ? answerProblems(schema, answered, "", resolve) : [];
        });
        return [...ofParameters, ...(ofBody ?? []), ...ofResponses];
    });
    return [...new Set(found)].sort();
}

type Resolve = ReturnType<typeof resolverOf>;

/** The place of a member: its schema has a name, or is inside of one. */
const inside = (title: string | undefined, at: string, name: string): string => `${title ?? (at || "Message")}.${name}`;

/** What the contract refuses or lacks in an answer that the description allows. */
function answerProblems(allowed: Schema, answered: Schema, at: string, resolve: Resolve): string[] {
    const { anyOf, ...alone } = resolve(answered);
    const alternatives = anyOf?.map(resolve) ?? [alone];
    const isClosed = alternatives.every((one) => one.enum);
    // A word that is not known is the last alternative.
    const {
        type,
        items,
        properties = {},
        required = [],
        additionalProperties,
        ...limits
    } = alternatives.at(-1) ?? alone;
    const ofItself = [
        ...(type === allowed.type || (type === "number" && allowed.type === "integer")
            ? []
            : [`${at} has another type`]),
        ...(isClosed || additionalProperties === false ? [`${at} is closed`] : []),
        ...limitNames
            .filter((name) => limits[name] !== undefined && limits[name] !== allowed[name])
            .map((name) => `${at} has its own ${name}`),
    ];
    const ofMembers = Object.entries(allowed.properties ?? {}).flatMap(([name, member]) => {
        const place = inside(allowed.title, at, name);
        const known = properties[name];
        const mustBe = allowed.required?.includes(name) && !member.nullable;
        return known === undefined
            ? [`${place} is unknown`]
            : [
                  ...(required.includes(name) && !mustBe ? [`${place} is required`] : []),
                  ...answerProblems(member, known, place, resolve),
              ];
    });
    const ofItems = allowed.items && items ? answerProblems(allowed.items, items, at, resolve) : [];
    return [...ofItself, ...ofMembers, ...ofItems];
}

const limitNames = ["minLength", "maxLength", "pattern", "minimum", "maximum"] as const;

/** What a request of the contract can say and the description refuses or lacks. */
function requestProblems(allowed: Schema, requested: Schema, at: string, resolve: Resolve): string[] {
    const { type, properties = {}, required = [], items, ...limits } = resolve(requested);
    const { minLength = 0, minimum = -Infinity, maxLength = Infinity } = limits;
    const words = allowed.enum && !limits.enum?.every((one) => allowed.enum?.includes(one));
    const ofItself = [
        ...(type === allowed.type ? [] : [`${at} has another type`]),
        ...(words || limits.format !== allowed.format || (allowed.pattern && limits.pattern !== allowed.pattern)
            ? [`${at} has other forms`]
            : []),
        ...(minLength < (allowed.minLength ?? 0) || minimum < (allowed.minimum ?? -Infinity) ? [`${at} is below`] : []),
        ...(maxLength > (allowed.maxLength ?? Infinity) ? [`${at} is too long`] : []),
    ];
    const ofMembers = Object.entries(properties).flatMap(([name, member]) => {
        const place = inside(allowed.title, at, name);
        const known = allowed.properties?.[name];
        return known ? requestProblems(known, member, place, resolve) : [`${place} is unknown`];
    });
    const missing = allowed.required?.filter((name) => !required.includes(name)) ?? [];
    return [
        ...ofItself,
        ...ofMembers,
        ...missing.map((name) => `${inside(allowed.title, at, name)} can be absent`),
        ...(allowed.items && items ? requestProblems(allowed.items, items, at, resolve) : []),
    ];
}
