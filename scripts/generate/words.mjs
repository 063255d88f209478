/** Words of the schema, which has one text for all languages, and of the SDKs of other languages. */

/** The word of TypeScript for an absent value is not that of other languages. */
export const neutralText = (text) => text.replace(/\bUndefined\b/g, "Absent");

/** The comments of an SDK for Python, which contain texts of the schema, in names and words of Python. */
export const pythonText = (text, names) =>
    withNamesOf(text, names, snakeCase)
        .replace(/(?<!`)`(\w+): ("\w+"|true|false)`/g, "`$1=$2`")
        .replace(/(?<=[`=])(true|false)(?=`)/g, (word) => (word === "true" ? "True" : "False"))
        .replace(/\bAbsent\b/g, "None");

/** The same for the declarations of the configuration, whose names the generator of Pulumi leaves as they are in the schema. */
export const pythonDeclarations = (text, names) =>
    pythonText(text, names).replace(/^\w+(?=: Optional\[)/gm, (name) => snakeCase(name));

/** The same for Go. */
export const goText = (text, names) => withNamesOf(text, names, capitalized).replace(/\bAbsent\b/g, "Nil");

/** The names of the properties in the schema and of the option that comments mention. */
export function propertyNames(schema) {
    const names = new Set(["dependsOn"]);
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
function withNamesOf(text, names, nameInLanguage) {
    return text.replace(/(?<!`)`(\w+)(?=`(?!`)| \/ |: (?:"|true|false))/g, (code, name) =>
        names.has(name) ? code.replace(name, nameInLanguage(name)) : code,
    );
}

/** `vpcId` -> `vpc_id` */
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `vpcId` -> `VpcId` */
export const capitalized = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
