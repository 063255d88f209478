/**
 * Maps TypeScript types to types of a Pulumi schema. Enumerations and objects become named types. Inputs accept the values
 * of an enumeration also as strings: type checkers, Java and imported programs need no enumeration then.
 */
import ts from "typescript";
import { relative } from "node:path";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";
import { capitalized } from "./words.mjs";

/** The result type of a function. In a list its name is `VpcInfo`; otherwise it has none. */
const result = /^Get(\w+)Result$/;

/**
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readSources>>} sources
 * @param {(name: string) => string} tokenOf
 */
export function schemaTypes({ checker, commentOf, defaultOf }, tokenOf) {
    const types = {};
    /** Where the types with generated names come from. */
    const places = {};

    /**
     * The properties of an object. `extra` returns what the type does not say, for example that it is secret, and `defaults`
     * contains the defaults that differ from those of the comments.
     */
    function object(symbols, parent, { isInput = false, extra = () => ({}), defaults = {} } = {}) {
        const properties = symbols.map((symbol) => [
            symbol.name,
            {
                ...schemaType(checker.getTypeOfSymbol(symbol), { property: symbol.name, symbol, parent, isInput }),
                description: descriptionOf(symbol, defaults[symbol.name] ?? defaultOf(symbol)),
                ...extra(symbol.name),
            },
        ]);
        const required = symbols.filter((symbol) => !isOptional(symbol)).map(({ name }) => name);
        return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
    }

    const descriptionOf = (symbol, byDefault) => `${commentOf(symbol)}${byDefault && ` Default: ${byDefault}.`}`;

    function isOptional(symbol) {
        const type = checker.getTypeOfSymbol(symbol);
        return (symbol.flags & ts.SymbolFlags.Optional) !== 0 || checker.getNonNullableType(type) !== type;
    }

    function schemaType(optionalType, at) {
        const { property, parent, isInput } = at;
        const type = checker.getNonNullableType(optionalType);
        const parts = type.isUnion() ? type.types : [type];
        const areAll = (flag) => parts.every(({ flags }) => flags & flag);
        if (areAll(ts.TypeFlags.StringLiteral)) {
            const named = enumeration(parts, at);
            return isInput ? { type: "string", oneOf: [{ type: "string" }, named] } : named;
        }
        if (areAll(ts.TypeFlags.BooleanLike)) {
            return { type: "boolean" };
        }
        if (areAll(ts.TypeFlags.String)) {
            return { type: "string" };
        }
        // Every number of this package counts something.
        if (areAll(ts.TypeFlags.NumberLike)) {
            return { type: "integer" };
        }
        // Other languages have no type for a single string. The union keeps a declared number or string as it is.
        if (areAll(ts.TypeFlags.NumberLike | ts.TypeFlags.StringLike)) {
            return { type: "integer", oneOf: [{ type: "integer" }, { type: "string" }] };
        }
        if (checker.isArrayType(type)) {
            const [of] = checker.getTypeArguments(type);
            const items = schemaType(of, { ...at, property: property.replace(/s$/, "") });
            // A list of unions has no convenient form in Java, and YAML passes no list of an enumeration to one of strings.
            const { type: kind = kindOf(items) } = items;
            return { type: "array", items: kind === "string" ? { type: "string" } : items };
        }
        // One or more: a value or a list of them.
        if (parts.length === 2 && parts.filter((one) => checker.isArrayType(one)).length === 1) {
            return { oneOf: parts.map((one) => schemaType(one, at)) };
        }
        if (areAll(ts.TypeFlags.Object)) {
            return reference(type, at);
        }
        throw new ScriptError(
            `${parent}.${property} has the type ${checker.typeToString(type)}. Add it to \`schemaType\` in scripts/generate/types.mjs.`,
        );
    }

    const kindOf = ({ $ref }) => types[$ref.replace("#/types/", "")]?.type;

    function enumeration(parts, { property, symbol, parent }) {
        const values = parts
            .map(({ value }) => ({ name: words(value), value }))
            .sort((a, b) => a.name.localeCompare(b.name, "en"));
        const allowed = values.map(({ value }) => `\`${value}\``).join(", ");
        // Resources share an enumeration; those of other objects belong to the object.
        const name = `${types[tokenOf(parent)] === undefined ? "" : parent}${capitalized(property)}`;
        const [{ fileName }] = symbol.declarations.map((one) => one.getSourceFile());
        const place = `${parent}.${symbol.name} in ${relative(repositoryRoot, fileName)}`;
        return add(name, { type: "string", description: `The allowed values: ${allowed}.`, enum: values }, place);
    }

    /** A reference to the named type of an object. An inline type has the name of its property. */
    function reference(type, { property, parent, isInput } = {}) {
        const symbol = type.aliasSymbol ?? type.symbol;
        const [name, description] =
            symbol.name === "__type"
                ? [`${parent.replace(result, "$1")}${capitalized(property)}`, `The value of \`${property}\`.`]
                : [symbol.name.replace(result, "$1Info"), commentOf(symbol)];
        const token = tokenOf(name);
        if (types[token] === undefined) {
            // Members of the type refer to it by this entry.
            types[token] = { type: "object", description };
            Object.assign(types[token], object(checker.getPropertiesOfType(type), name, { isInput }));
        }
        return { $ref: `#/types/${token}` };
    }

    /** Adds a type from this place, and returns a reference to it. */
    function add(name, spec, place = name) {
        const token = tokenOf(name);
        const { [token]: known = spec } = types;
        if (JSON.stringify(known) !== JSON.stringify(spec)) {
            const both = [places[token] ?? name, place].join(" and ");
            throw new ScriptError(
                `${both} differ, but both make the type ${name}. Rename one, or give both the same values.`,
            );
        }
        types[token] = spec;
        places[token] ??= place;
        return { $ref: `#/types/${token}` };
    }

    const all = () => Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)));
    return { object, reference, add, all };
}

/** `time-series` -> `TimeSeries`, `LAST_SNAPSHOT` -> `LastSnapshot`. */
const words = (value) => value.toLowerCase().split(/[-_ ]/).map(capitalized).join("");
