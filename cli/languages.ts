import { CloudDbError } from "../provider/api/errors";
import { printableJson } from "../provider/inputs/printable";

/** A resource to declare in a program. The inputs are those that have a value. */
export interface Declaration {
    readonly type: string;
    readonly name: string;
    readonly inputs: Readonly<Record<string, unknown>>;
}

/** The languages of programs. */
export const languages = ["typescript", "python", "go", "yaml", "java"] as const;
export type Language = (typeof languages)[number];

const lines: Readonly<Record<Language, (declaration: Declaration) => string>> = {
    typescript: ({ type, name, inputs }) =>
        `new clouddb.${type}(${literal(name)}, { ${joined(inputs, (key, value) => `${key}: ${literal(value)}`)} });`,
    python: ({ type, name, inputs }) =>
        `clouddb.${type}(${literal(name)}, ${joined(inputs, (key, value) => `${snakeCase(key)}=${pythonLiteral(value)}`)})`,
    go: ({ type, name, inputs }) =>
        `clouddb.New${type}(ctx, ${literal(name)}, &clouddb.${type}Args{${joined(inputs, (key, value) => `${capitalized(key)}: ${goLiteral(value)}`)}})`,
    yaml: ({ type, name, inputs }) =>
        `${literal(name)}: { type: clouddb:${type}, properties: { ${joined(inputs, (key, value) => `${key}: ${literal(value)}`)} } }`,
    java: ({ type, name, inputs }) =>
        `new ${type}(${literal(name)}, ${type}Args.builder()${joined(inputs, (key, value) => `.${key}(${literal(value)})`, "")}.build());`,
};

/** The line of a program that declares a resource. In YAML, it belongs below `resources`. */
export function declarationLine(language: Language, declaration: Declaration): string {
    return lines[language](declaration);
}

/** An option names a language that no program has. */
export class UnknownLanguageError extends CloudDbError {}

export function languageNamed(name: string): Language {
    const language = languages.find((one) => one === name);
    if (language === undefined) {
        throw new UnknownLanguageError({
            what: `--language ${name} is not a language of programs.`,
            ways: [{ label: "Continue", text: `use one of ${languages.join(", ")}` }],
        });
    }
    return language;
}

/** The language of the program with this Pulumi.yaml. */
export function languageOf(project: string): Language {
    const [, short, long] = /^runtime:(?:[ \t]*["']?(\w+)|\s+name:[ \t]*["']?(\w+))/m.exec(project) ?? [];
    const runtime = short ?? long;
    return languages.find((language) => language === runtime) ?? "typescript";
}

function joined(inputs: Declaration["inputs"], write: (key: string, value: unknown) => string, between = ", "): string {
    return Object.entries(inputs)
        .map(([key, value]) => write(key, value))
        .join(between);
}

const literal = (value: unknown): string => printableJson(JSON.stringify(value));
const capitalized = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);
const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pythonLiteral = (value: unknown): string =>
    typeof value === "boolean" ? capitalized(String(value)) : literal(value);

function goLiteral(value: unknown): string {
    const type = typeof value === "number" ? "Int" : typeof value === "boolean" ? "Bool" : "String";
    return `pulumi.${type}(${literal(value)})`;
}
