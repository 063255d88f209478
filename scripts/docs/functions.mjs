/** Generates the page of the functions. */
import { functionsFolder } from "../generate/code.mjs";
import { functionSources, resultTypes } from "../generate/functions.mjs";
import { index } from "../generate/schema.mjs";
import { pageOf } from "./resources.mjs";
import { banner, definition, part } from "./sources.mjs";

export function functionsPage(sources) {
    const sections = functionSources(sources).map((one) => section(sources, one));
    const results = resultTypes(sources).map((name) => resultSection(sources, name));
    const about = "A property with `?` is `undefined` if the API does not return it.";
    return `# Functions\n\n${banner}\n${part("functions")}\n\n${[...sections, "## Results", about, ...results].join("\n\n")}\n`;
}

function section(sources, { name, args, result }) {
    const given = args === undefined ? [] : sources.members(functionsFolder, args);
    const list = given.filter((one) => one.name !== "projectId").map(definition);
    return [
        `## ${name}`,
        `${withoutMissing(sources.textOf(sources.exported(functionsFolder, name)))} See [${result}](#${result.toLowerCase()}).`,
        ...(list.length > 0 ? [list.join("\n")] : []),
    ].join("\n\n");
}

/** The beginning of the page describes the error for a resource that does not exist. */
const withoutMissing = (text) =>
    text.replace(
        / Throws an `ApiError` with status 404 if [\w ]+ does not exist(?:, and (a `FunctionError` [^.]+))?\./,
        (_, other) => (other ? ` Throws ${other}.` : ""),
    );

function resultSection(sources, type) {
    // The resource with the same properties.
    const resource = Object.keys(sources.resources).find((one) => type === `Get${one}Result`);
    const known = resource ? namesOf(sources, resource) : [];
    const isOfResource = ({ name }) => known.includes(name);
    const itemsOf = (members, indent = "") =>
        members.flatMap((member) => {
            const { name, type: is, isInline, optional, text, members: inner } = member;
            const value = isInline ? "object" : is.replaceAll("readonly ", "");
            const item = `${indent}- \`${name}${optional ? "?" : ""}: ${value}\`: ${text}`;
            return [item, ...(isInline ? itemsOf(inner(), `${indent}  `) : [])];
        });
    const members = sources.members(functionsFolder, type);
    const same = members.filter(isOfResource);
    const named = same.map(({ name, optional }) => `\`${name}${optional ? "?" : ""}\``).join(", ");
    const own = itemsOf(members.filter((one) => !isOfResource(one)));
    const about = sources.textOf(sources.exported(functionsFolder, type));
    return [
        `### ${type}`,
        resource ? `Properties of [${resource}](resources/${pageOf(resource)}.md): ${named}.` : about,
        ...(own.length > 0 ? [own.join("\n")] : []),
    ].join("\n\n");
}

/** The names of the inputs and outputs of a resource. */
function namesOf(sources, resource) {
    const given = sources.members("provider/resources", `${resource}Inputs`);
    return [...given, ...sources.outputs(index, resource)].map(({ name }) => name);
}
