/**
 * Maps TypeScript types to types of a Pulumi schema. Enumerations and objects become named types. Inputs accept the values
 * of an enumeration also as strings: type checkers, Java and imported programs need no enumeration then.
 */
import ts from "typescript";
import { neutralText } from "./words.mjs";

/** The result type of a function. In a list its name is `VpcInfo`; otherwise it has none. */
const result = /^Get(\w+)Result$|^(\w+)Info$/;

/**
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 * @param {string} packageName
 */
export function schemaTypes({ checker, textOf, commentOf, defaultOf }, packageName) {
    const types = {};

    /**
     * The properties of an object of inputs. `extra` returns what the type does not say, for example that it is secret, and
     * `defaults` contains the defaults that differ from those of the comments.
     */
    const inputs = (symbols, parent, extra, defaults) => object(symbols, parent, true, extra, defaults);
    /** The same for outputs. */
    const outputs = (symbols, parent, extra) => object(symbols, parent, false, extra);

    function object(symbols, parent, isInput, extra = () => ({}), defaults = {}) {
        const properties = symbols.map((symbol) => [
            symbol.name,
            {
                ...schemaType(checker.getTypeOfSymbol(symbol), symbol.name, parent, isInput),
                description: descriptionOf(symbol, defaults[symbol.name]),
                ...extra(symbol.name),
            },
        ]);
        const required = symbols.filter((symbol) => !isOptional(symbol)).map(({ name }) => name);
        return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
    }

    function descriptionOf(symbol, otherDefault) {
        const text = commentOf(symbol);
        const byDefault = otherDefault ?? defaultOf(symbol);
        return neutralText(byDefault ? `${text} Default: ${byDefault}.` : text);
    }

    function schemaType(type, property, parent, isInput) {
        const parts = partsOf(type);
        const [only] = parts;
        const has = (flag) => parts.some(({ flags }) => flags & flag);
        // Other languages have no type for a single string. The union keeps a declared number or string as it is.
        if (has(ts.TypeFlags.NumberLike) && parts.length > 1) {
            return { type: "integer", oneOf: [{ type: "integer" }, { type: "string" }] };
        }
        if (parts.length > 1 && parts.every(({ flags }) => flags & ts.TypeFlags.BooleanLike)) {
            return { type: "boolean" };
        }
        if (parts.every((part) => part.isStringLiteral())) {
            const named = enumeration(parts, property, parent);
            return isInput ? { type: "string", oneOf: [{ type: "string" }, named] } : named;
        }
        if (parts.length > 1) {
            throw new Error(`${parent}.${property} has no schema type: ${checker.typeToString(type)}`);
        }
        if (has(ts.TypeFlags.String)) {
            return { type: "string" };
        }
        // Every number of this package counts something.
        if (has(ts.TypeFlags.Number)) {
            return { type: "integer" };
        }
        if (checker.isArrayType(only)) {
            const of = checker.getTypeArguments(only)[0];
            const items = schemaType(of, property.replace(/s$/, ""), parent, isInput);
            // A list of unions has no convenient form in Java.
            return { type: "array", items: items.oneOf && items.type === "string" ? { type: "string" } : items };
        }
        if (only.flags & ts.TypeFlags.Object) {
            return referenceTo(only, `${parent.replace(result, "$1$2")}${capitalized(property)}`, property, isInput);
        }
        throw new Error(`${parent}.${property} has no schema type: ${checker.typeToString(type)}`);
    }

    function enumeration(parts, property, parent) {
        const values = parts
            .map(({ value }) => ({ name: words(value), value }))
            .sort((a, b) => compare(a.name, b.name));
        // Resources share an enumeration; those of other objects belong to the object.
        const name = `${types[`${packageName}:index:${parent}`] === undefined ? "" : parent}${capitalized(property)}`;
        return add(name, { type: "string", description: allowed(values), enum: values });
    }

    /** Adds a type with this name. */
    const named = (name, description, spec) => add(name, { type: "object", description, ...spec });

    /** A reference to the named type of an object of outputs. */
    const reference = (type) => referenceTo(type, undefined, undefined, false);

    /** An inline type has the given name. A type of inputs and outputs is one of inputs. */
    function referenceTo(type, inlineName, property, isInput) {
        const name = nameOf(type) ?? inlineName;
        const token = `${packageName}:index:${name}`;
        if (types[token] === undefined) {
            // Members of the type refer to it by this entry.
            types[token] = { type: "object" };
            Object.assign(
                types[token],
                { description: describe(type) || `The value of \`${property}\`.` },
                object(checker.getPropertiesOfType(type), name, isInput),
            );
        }
        return { $ref: `#/types/${token}` };
    }

    function add(name, spec) {
        const token = `${packageName}:index:${name}`;
        const known = types[token];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec)) {
            throw new Error(`Two types have the name ${name}.`);
        }
        types[token] = spec;
        return { $ref: `#/types/${token}` };
    }

    function describe(type) {
        const symbol = type.aliasSymbol ?? type.symbol;
        return symbol && neutralText(textOf(symbol));
    }

    const isOptional = (symbol) =>
        (symbol.flags & ts.SymbolFlags.Optional) !== 0 || allPartsOf(checker.getTypeOfSymbol(symbol)).some(isUndefined);

    return {
        inputs,
        outputs,
        reference,
        named,
        all: () => Object.fromEntries(Object.entries(types).sort(([a], [b]) => compare(a, b))),
    };
}

/** The name of an interface or an alias; undefined for an inline type. */
function nameOf(type) {
    const name = type.aliasSymbol?.name ?? type.symbol?.name;
    if (name === undefined || name === "__type") {
        return undefined;
    }
    return name.replace(result, "$1Info");
}

const allowed = (values) => `The allowed values: ${values.map(({ value }) => `\`${value}\``).join(", ")}.`;

const allPartsOf = (type) => (type.isUnion() ? type.types : [type]);
const isUndefined = ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;
const partsOf = (type) => allPartsOf(type).filter((part) => !isUndefined(part));

/** `time-series` -> `TimeSeries`, `LAST_SNAPSHOT` -> `LastSnapshot`. */
const words = (value) => value.toLowerCase().split(/[-_ ]/).map(capitalized).join("");
const capitalized = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;
const compare = (a, b) => (a < b ? -1 : 1);
