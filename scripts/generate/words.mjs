/** Words of the schema, which has one text for all languages, and of the SDKs of other languages. */

/** From a comment for TypeScript to a text that is correct in each language. */
const neutral = [
    [/ In TypeScript, [^.]*(?<!`)\.(?=\s|$)/g, ""],
    [/ Throws an `ApiError` with status 404 if/g, " Fails with status 404 if"],
    [/, and a `LookupError` if/g, ", and fails if"],
    [/ It requests each page when the caller reaches it, so a `break` in `for await` stops the requests\./g, ""],
    [/\bIt is undefined only\b/g, "It is absent only"],
];

/** @param {string} text */
export function neutralText(text) {
    return neutral.reduce((before, [pattern, words]) => before.replace(pattern, words), text);
}

/** The names of the properties in the schema that consist of several words. */
export function propertyNames(schema) {
    const names = new Set();
    JSON.stringify(schema, (key, value) => {
        if (/^(properties|inputProperties|variables)$/.test(key)) {
            Object.keys(value).forEach((name) => names.add(name));
        }
        return value;
    });
    return names;
}

/**
 * Replaces the names of properties in the code of comments, such as `vpcId`. Names in paths and settings remain, such as
 * those in `clouddb:projectId`.
 *
 * @param {string} text
 * @param {ReadonlySet<string>} names
 * @param {(name: string) => string} nameInLanguage
 */
export function withNamesOf(text, names, nameInLanguage) {
    return text.replace(/(?<!`)`(\w+)(?=`(?!`)| \/ |: ")/g, (code, name) =>
        names.has(name) ? code.replace(name, nameInLanguage(name)) : code,
    );
}

/** `vpcId` -> `vpc_id` */
export const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `vpcId` -> `VpcId` */
export const pascalCase = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
